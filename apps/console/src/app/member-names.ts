import { useQuery } from '@tanstack/react-query';
import { cairn } from './client.ts';
import { useWhoami } from './who-am-i.ts';

const PAGE = 200;
const FRESH_MS = 60_000;

/** The names of the tenant's members by id, as far as this session may see them: the first two hundred. */
export function useMemberNames(): ReadonlyMap<string, string> {
  const { data: who } = useWhoami();
  const { data } = useQuery({
    queryKey: ['members', 'names'],
    queryFn: async () => {
      const { members } = await cairn.members.list({ limit: PAGE });
      return new Map(members.map(({ member_id, name }) => [member_id, name]));
    },
    staleTime: FRESH_MS,
    enabled: who?.credential.scopes.includes('members:read') === true,
  });
  return data ?? NOBODY;
}

const NOBODY: ReadonlyMap<string, string> = new Map();
