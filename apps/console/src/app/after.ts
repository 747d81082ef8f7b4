import type { QueryState } from '../parts/panel.tsx';

/** A query that waits for another's answer: when that one failed, its failure stands here, and is what is tried again. */
export function after<Data>(first: QueryState<unknown>, query: QueryState<Data>): QueryState<Data> {
  return first.error === null ? query : { ...first, data: undefined };
}
