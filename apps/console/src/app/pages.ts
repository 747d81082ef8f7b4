import { useInfiniteQuery } from '@tanstack/react-query';
import { keepWithinMemory } from './keep-within-memory.ts';

interface Page {
  next_cursor?: string;
}

interface PagesOptions<One> {
  /** Milliseconds; only while something is unsettled. */
  refetchInterval?: number | false;
  /** Whether what is there is unsettled; without it the caller knows. */
  pollWhile?: (pages: readonly One[]) => boolean;
}

/** A list by pages of the API: earlier rows stay while others are fetched. */
export function usePages<One extends Page>(
  key: readonly unknown[],
  fetchPage: (cursor: { cursor?: string }) => PromiseLike<One>,
  { refetchInterval = false, pollWhile = () => true }: PagesOptions<One> = {},
) {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam }) => await fetchPage(pageParam === '' ? {} : { cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: (page: One) => page.next_cursor,
    placeholderData: keepWithinMemory(key),
    refetchInterval: ({ state }) => (state.data !== undefined && pollWhile(state.data.pages) ? refetchInterval : false),
  });
}
