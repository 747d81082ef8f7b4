/** What a list's `limit` and `cursor` mean for its query. */
export interface Page {
  /** Rows sort after this id; empty for the first page. */
  after: string;
  /** Rows to fetch: one more than shown, to know whether more follow; null for everything. */
  fetch: number | null;
  limit: number | null;
}

const DEFAULT_LIMIT = 50;

/** Without `limit` and `cursor` everything is listed. The cursor is the last id shown. */
export function pageOf(query: { limit?: number | undefined; cursor?: string | undefined }): Page {
  if (query.limit === undefined && query.cursor === undefined) return { after: '', fetch: null, limit: null };
  const limit = query.limit ?? DEFAULT_LIMIT;
  return { after: query.cursor ?? '', fetch: limit + 1, limit };
}

/** Cuts the extra row off and says where the next page starts. */
export function nextCursorOf<Row>(
  rows: Row[],
  page: Page,
  idOf: (row: Row) => string,
): { shown: Row[]; next_cursor: string | undefined } {
  if (page.limit === null || rows.length <= page.limit) return { shown: rows, next_cursor: undefined };
  const shown = rows.slice(0, page.limit);
  return { shown, next_cursor: idOf(shown.at(-1)!) };
}
