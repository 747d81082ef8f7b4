import { EXPORT_MEDIA_TYPE } from '@cairn/contracts';
import type { FileResponse } from '@cairn/service-kit';

/** One line of an export: what it is, and that under its name. */
export type Line = { type: string } & Record<string, unknown>;

/**
 * Lines as a download that is written while it is read, a page of the database at a time, so that neither memory nor a
 * transaction grows with what is exported.
 */
export function download(name: string, pages: AsyncIterable<readonly Line[]>): FileResponse {
  return {
    mediaType: EXPORT_MEDIA_TYPE,
    body: linesOf(pages),
    headers: {
      'content-disposition': `attachment; filename="${name}.jsonl"`,
      'x-content-type-options': 'nosniff',
    },
  };
}

async function* linesOf(pages: AsyncIterable<readonly Line[]>): AsyncGenerator<string> {
  let lines = 0;
  for await (const page of pages) {
    if (page.length === 0) continue;
    lines += page.length;
    yield page.map((line) => `${JSON.stringify(line)}\n`).join('');
  }
  yield `${JSON.stringify({ type: 'end', lines })}\n`;
}
