import { describe, expect, it } from '@jest/globals';
import { readAhead } from './read-ahead.ts';
import { chunkDigest, type ReadWindows, type Window, windowsOf } from './windows.ts';

const chunk = (at: number, body: string) => ({
  chunk_id: `chk_${at}`,
  doc_id: 'doc',
  vault_id: 'vlt',
  title_path: 'Page',
  body,
});
const page = (n: number) => `Page ${n}. ${'All work and no play. '.repeat(40)}`;
const pages = Array.from({ length: 400 }, (_, n) => page(n));
const cut = (bodies: readonly string[]) =>
  windowsOf(
    bodies.map((body, at) => chunk(at, body)),
    () => [],
  );
const digestsOf = (windows: readonly Window[]) => windows.map(({ sha256 }) => sha256.toString('hex'));

describe('windows', () => {
  it('hold every chunk once, in order, and none is longer than a task may be', () => {
    const windows = cut(pages);
    expect(windows.flatMap(({ texts }) => texts.map(({ body }) => body))).toEqual(pages);
    for (const { texts } of windows) expect(texts.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThan(60_000);
    expect(windows.length).toBeGreaterThan(5);
  });

  it('stay as they are when a chunk is put in before them, but for the nearest', () => {
    const before = digestsOf(cut(pages));
    const after = new Set(digestsOf(cut([pages[0]!, 'A new paragraph.', ...pages.slice(1)])));
    expect(before.filter((digest) => !after.has(digest)).length).toBeLessThanOrEqual(3);
  });

  it('are others when a text, its titles, its place or what a model said of it is another', () => {
    const [window] = cut(pages.slice(0, 3));
    const digests = new Set([
      chunkDigest(window!, 0).toString('hex'),
      chunkDigest(window!, 1).toString('hex'),
      chunkDigest(cut(pages.slice(0, 2))[0]!, 0).toString('hex'),
      ...digestsOf(windowsOf([{ ...chunk(0, pages[0]!), title_path: 'Other' }], () => [])),
      ...digestsOf(windowsOf([chunk(0, pages[0]!)], () => [])),
      ...digestsOf(windowsOf([chunk(0, pages[0]!)], () => [{ subject: 'Ada' } as never])),
    ]);
    expect(digests.size).toBe(6);
  });
});

describe('reading ahead', () => {
  const counting = (asked: string[]): ReadWindows => {
    return async (tenantId, windows) => {
      asked.push(...windows.map(({ texts }) => `${tenantId} ${texts[0]!.body.slice(0, 6)}`));
      return windows.map(() => []);
    };
  };

  it('reads each window once for its transaction, however much that is, and what changed meanwhile then', async () => {
    const asked: string[] = [];
    const long = cut(Array.from({ length: 90 }, (_, n) => `Part ${n}. ${'All work and no play. '.repeat(2_500)}`));
    const read = await readAhead(counting(asked), 'a', long);
    expect(asked).toHaveLength(long.length);
    const [changed] = cut([page(2)]);
    expect(await read('a', [changed!, ...long])).toEqual([[], ...long.map(() => [])]);
    expect(asked.slice(long.length)).toEqual(['a Page 2']);
  });

  it('keeps nothing for another transaction, and gives another tenant none of it', async () => {
    const asked: string[] = [];
    const read = await readAhead(counting(asked), 'a', cut([page(1)]));
    await read('b', cut([page(1)]));
    await readAhead(counting(asked), 'a', cut([page(1)]));
    expect(asked).toEqual(['a Page 1', 'b Page 1', 'a Page 1']);
  });
});
