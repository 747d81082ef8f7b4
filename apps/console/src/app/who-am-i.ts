import type { Whoami } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { cairn } from './client.ts';
import { keepEnvironment } from './environment.ts';

const FRESH_MS = 60_000;

export type Scope = Whoami['credential']['scopes'][number];

/** What this session may do; navigation is made of it. */
export function useWhoami() {
  return useQuery({
    queryKey: ['whoami'],
    queryFn: async () => {
      const who = await cairn.account.whoami();
      keepEnvironment(who.credential.environment);
      return who;
    },
    staleTime: FRESH_MS,
  });
}
