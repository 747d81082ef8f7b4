import { words } from '../words/parts.ts';

interface MoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

export function MoreButton({ query }: MoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <p>
      <button type="button" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {query.isFetchingNextPage ? words.loading : words.more}
      </button>
    </p>
  );
}
