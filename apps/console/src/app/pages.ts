import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';

interface Page {
  next_cursor?: string;
}

interface PagesOptions {
  /** Milliseconds; only while something is unsettled. */
  refetchInterval?: number | false;
  enabled?: boolean;
}

/** A list by pages of the API: earlier rows stay while others are fetched. */
export function usePages<One extends Page>(
  key: readonly unknown[],
  fetchPage: (cursor: { cursor?: string }) => PromiseLike<One>,
  options: PagesOptions = {},
) {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam }) => await fetchPage(pageParam === '' ? {} : { cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: (page: One) => page.next_cursor,
    placeholderData: keepPreviousData,
    ...options,
  });
}
