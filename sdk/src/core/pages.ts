import type { Pages } from './shapes.ts';

type Fields = Record<string, unknown>;

/** A list whose rows are in the field `rows` of each page, and whose pages are found by cursor or by number. */
export function pagesOf(
  rows: string,
  numbered: boolean,
  fields: Fields,
  read: (more: Fields) => Promise<unknown>,
): Pages<unknown, unknown> {
  let first: Promise<unknown> | undefined;
  async function* pages(): AsyncGenerator<Fields> {
    let seen = 0;
    for (let more: Fields = {}; ;) {
      const page = (await read(more)) as Fields;
      yield page;
      const count = (page[rows] as unknown[]).length;
      seen += count;
      if (numbered ? count === 0 || seen >= Number(page['total']) : page['next_cursor'] === undefined) return;
      more = numbered ? { page: Number(more['page'] ?? fields['page'] ?? 1) + 1 } : { cursor: page['next_cursor'] };
    }
  }
  async function* items(): AsyncGenerator<unknown> {
    for await (const page of pages()) yield* page[rows] as unknown[];
  }
  return {
    // Awaiting a list gives its first page.
    // oxlint-disable-next-line unicorn/no-thenable
    then: (resolved, rejected) => (first ??= read({})).then(resolved, rejected),
    [Symbol.asyncIterator]: items,
    pages,
    async all(limit = Infinity) {
      const all: unknown[] = [];
      if (limit <= 0) return all;
      for await (const item of items()) {
        all.push(item);
        if (all.length >= limit) break;
      }
      return all;
    },
  };
}
