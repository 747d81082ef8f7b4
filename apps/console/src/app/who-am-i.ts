import type { Whoami } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { cairn } from './client.ts';

const FRESH_MS = 60_000;

export type Scope = Whoami['credential']['scopes'][number];

/** What this session may do; navigation is made of it. */
export function useWhoami() {
  return useQuery({ queryKey: ['whoami'], queryFn: () => cairn.account.whoami(), staleTime: FRESH_MS });
}
