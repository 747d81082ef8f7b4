import type { ResponseOf } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import type { SearchLogRow } from './search-log-store.ts';

/** A kept search as the API shows it. */
export function presentSearch(row: SearchLogRow): ResponseOf<typeof operations.getSearch> {
  const { helpful, comment, rated_at: ratedAt, asked_at: askedAt, ...search } = row;
  return {
    ...search,
    asked_at: askedAt.toISOString(),
    feedback: helpful === null || ratedAt === null ? null : { helpful, comment, rated_at: ratedAt.toISOString() },
  };
}
