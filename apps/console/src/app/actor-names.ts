import { useQuery } from '@tanstack/react-query';
import { cairn } from './client.ts';
import { useWhoami } from './who-am-i.ts';

const PAGE = 200;
const FRESH_MS = 60_000;

/** The names of members and of keys in use by id, as far as this session may see them: two hundred of each. */
export function useActorNames(): ReadonlyMap<string, string> {
  const { data: who } = useWhoami();
  const may = (scope: 'members:read' | 'keys:read') => who?.credential.scopes.includes(scope) === true;
  const members = useQuery({
    queryKey: ['members', 'names'],
    queryFn: async () => {
      const page = await cairn.members.list({ limit: PAGE });
      return page.members.map(({ member_id, name }) => [member_id, name] as const);
    },
    staleTime: FRESH_MS,
    enabled: may('members:read'),
  });
  const keys = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: async () => {
      const page = await cairn.keys.list({ limit: PAGE });
      return page.api_keys.map(({ key_id, name }) => [key_id, name] as const);
    },
    staleTime: FRESH_MS,
    enabled: may('keys:read'),
  });
  return new Map([...(members.data ?? []), ...(keys.data ?? [])]);
}
