import { CairnError } from '@cairn/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { handleSignedOut } from './signed-out.ts';

const FRESH_MS = 15_000;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleSignedOut }),
  mutationCache: new MutationCache({ onError: handleSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // The SDK repeats what may be repeated; what the API refused is refused again.
      retry: false,
      refetchOnWindowFocus: (query) => !isRefused(query.state.error),
      // An installation may be on this machine, and be there without a network; a request that fails says so at once.
      networkMode: 'always',
      refetchOnReconnect: (query) => !isRefused(query.state.error),
    },
    mutations: { networkMode: 'always' },
  },
});

function isRefused(error: unknown): boolean {
  return error instanceof CairnError && error.status >= 400 && error.status < 500;
}
