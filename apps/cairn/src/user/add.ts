import { addFiles, type AddResult } from './add-files.ts';
import { EXIT } from './failures.ts';
import { scopeOf, type Session } from './session.ts';
import { oneLine } from './printable.ts';
import { show } from './show.ts';

/** `cairn add`: puts files into a memory and names those that it leaves out. */
export async function addToMemory(session: Session, paths: readonly string[]): Promise<number> {
  const client = await session.client();
  const bar = await openBar(session);
  const result = await addFiles(client, paths, {
    scope: await scopeOf(session),
    onProgress: ({ total, completed, failed }) => bar?.update(total, completed + failed),
  }).finally(() => bar?.stop());
  for (const { path, reason } of result.left_out) session.say(`left out: ${path} ${reason}`);
  show(session, result, addLines);
  return result.failed > 0 || result.completed === 0 ? EXIT.failed : EXIT.done;
}

/** What has become of the files. */
export function addLines({ completed, failed, failures, left_out }: AddResult): string[] {
  const documents = completed === 1 ? '1 document is' : `${completed} documents are`;
  const others = [
    failed > 0 ? `${failed} failed` : '',
    left_out.length > 0 ? `${left_out.length} left out` : '',
  ].filter((part) => part !== '');
  return [
    `${[`${documents} searchable`, ...others].join(', ')}.`,
    ...failures.map(({ path, message }) => `  ${oneLine(path)}: ${oneLine(message)}`),
  ];
}

interface Bar {
  update(total: number, done: number): void;
  stop(): void;
}

/** On a terminal only, and where words go. */
async function openBar(session: Session): Promise<Bar | null> {
  const { stderr } = session.streams;
  if (!stderr.isTTY || session.flags.quiet === true) return null;
  const { default: progress } = await import('cli-progress');
  const bar = new progress.SingleBar(
    { format: '{bar} {value}/{total} documents', stream: stderr },
    progress.Presets.shades_classic,
  );
  return {
    update(total, done) {
      if (!bar.isActive) bar.start(total, 0);
      bar.setTotal(total);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
