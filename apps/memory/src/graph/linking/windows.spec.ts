import { describe, expect, it } from '@jest/globals';
import { createReadAhead } from './read-ahead.ts';
import { chunkDigest, type Window, windowsOf } from './windows.ts';

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
  it('reads a window once for the one who asks, and again for the next; another tenant gets none of it', async () => {
    const asked: string[] = [];
    const { readAhead, read } = createReadAhead(async (tenantId, windows) => {
      asked.push(...windows.map(({ texts }) => `${tenantId} ${texts[0]!.body.slice(0, 6)}`));
      return windows.map(() => []);
    });
    const [one, other] = [cut([page(1)])[0]!, cut([page(2)])[0]!];
    await readAhead('a', [one]);
    expect(await read('a', [other, one])).toEqual([[], []]);
    expect(asked).toEqual(['a Page 1', 'a Page 2']);
    await read('a', [one]);
    await readAhead('a', [other]);
    await read('b', [other]);
    expect(asked.slice(2)).toEqual(['a Page 1', 'a Page 2', 'b Page 2']);
  });
});
