import { useQuery } from '@tanstack/react-query';
import { cairn } from './client.ts';
import { type Scope, useWhoami } from './who-am-i.ts';

const PAGE = 200;
const FRESH_MS = 60_000;

/** The name of a member or of a key in use, as far as this session may see it: of the first two hundred of each. */
export function useActorName(id: string): string | undefined {
  const members = useNames('members', 'members:read', async () => {
    const page = await cairn.members.list({ limit: PAGE });
    return page.members.map(({ member_id, name }) => [member_id, name]);
  });
  const keys = useNames('keys', 'keys:read', async () => {
    const page = await cairn.keys.list({ limit: PAGE });
    return page.api_keys.map(({ key_id, name }) => [key_id, name]);
  });
  return members?.get(id) ?? keys?.get(id);
}

function useNames(of: string, scope: Scope, list: () => Promise<[id: string, name: string][]>) {
  const { data: who } = useWhoami();
  const { data } = useQuery({
    queryKey: [of, 'names'],
    queryFn: async () => new Map(await list()),
    staleTime: FRESH_MS,
    enabled: who?.credential.scopes.includes(scope) === true,
  });
  return data;
}
