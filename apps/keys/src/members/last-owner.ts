import { CairnError } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { countOtherOwners } from '../credentials/member-store.ts';

/** Throws `conflict` when the tenant would be left without an owner. Holds off other such decisions until the commit. */
export async function assertNotLastOwner(
  tx: Tx,
  { tenant_id, member_id }: { tenant_id: string; member_id: string },
): Promise<void> {
  if ((await countOtherOwners(tx, tenant_id, member_id)) === 0)
    throw new CairnError('conflict', 'The last owner stays one; make somebody else an owner first.');
}
