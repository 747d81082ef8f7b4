import type { Whoami } from '@cairn/sdk';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { cairn } from './client.ts';
import { storeEnvironment } from './environment.ts';

const FRESH_MS = 60_000;
const KEY = ['whoami'];

export type Scope = Whoami['credential']['scopes'][number];

/** What this session may do; navigation is made of it. */
export function useWhoami() {
  return useQuery({
    queryKey: KEY,
    queryFn: async () => {
      const who = await cairn.account.whoami();
      storeEnvironment(who.credential.environment);
      return who;
    },
    staleTime: FRESH_MS,
  });
}

/** Whether the session, opened over a page, is of the tenant and the environment that the page shows. */
export async function pageMayStay(client: QueryClient): Promise<boolean> {
  const before = client.getQueryData<Whoami>(KEY);
  if (before === undefined) return true;
  const { tenant, credential } = await cairn.account.whoami();
  return tenant.tenant_id === before.tenant.tenant_id && credential.environment === before.credential.environment;
}
