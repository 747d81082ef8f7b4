import { AuthenticationError, CairnError } from '@cairn/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { setSignedOut } from './signed-out.ts';

const FRESH_MS = 15_000;

function notice(error: unknown): void {
  if (error instanceof AuthenticationError) setSignedOut(true);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
  defaultOptions: {
    // The SDK repeats what may be repeated; what the API refused is refused again.
    queries: { staleTime: FRESH_MS, retry: false, refetchOnWindowFocus: (query) => !isRefused(query.state.error) },
  },
});

function isRefused(error: unknown): boolean {
  return error instanceof CairnError && error.status >= 400 && error.status < 500;
}
