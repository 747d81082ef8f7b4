import { idPattern } from '@cairn/contracts';
import type { Lineage } from '../credentials/lineage.ts';

const MEMBER = idPattern('member');

/** What came of a key or member, by kind, without itself. */
export function descendantsOf(
  { keyIds, clientIds }: Lineage,
  ownId: string,
): { members: string[]; api_keys: string[]; oauth_clients: string[] } {
  const others = keyIds.filter((id) => id !== ownId);
  return {
    members: others.filter((id) => MEMBER.test(id)),
    api_keys: others.filter((id) => !MEMBER.test(id)),
    oauth_clients: clientIds,
  };
}
