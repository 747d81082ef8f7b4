import { ERROR_CODES } from '@cairn/errors';
import type { Page } from '../page.ts';

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The page that `type` of every problem leads to: what the file says, with one heading for each code instead of its table. */
export function errorsPage(written: Page): Page {
  const [introduction] = written.body.split(/^\| code /m);
  const codes = Object.entries(ERROR_CODES).toSorted(([, left], [, right]) => left.status - right.status);
  const sections = codes.map(([code, { status, title, when, remedy }]) =>
    [`## \`${code}\``, `**${status}** · ${title}: ${when}.`, remedy === '' ? '' : sentence(remedy)].join('\n\n'),
  );
  return { ...written, body: `${introduction}\n${sections.join('\n\n')}\n` };
}
