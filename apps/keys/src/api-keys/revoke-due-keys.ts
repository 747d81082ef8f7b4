import { CairnError } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { revokeKey } from '../invalidation/revoke-key.ts';

const SWEEP_BATCH = 100;

interface DueKeysDeps {
  invalidate: Invalidate;
  workerDatabase: Database;
  now: () => Date;
}

/** Revokes the keys whose overlap after a rotation has ended; returns how many. Several replicas may do the same. */
export async function revokeDueKeys(deps: DueKeysDeps): Promise<number> {
  const due = await deps.workerDatabase.transaction((tx) =>
    tx.query<{ key_id: string }>(
      'SELECT key_id FROM api_keys WHERE revokes_at <= $1 AND revoked_at IS NULL ORDER BY revokes_at LIMIT $2',
      [deps.now(), SWEEP_BATCH],
    ),
  );
  const transact = deps.workerDatabase.transaction;
  const failures: unknown[] = [];
  for (const { key_id: keyId } of due) {
    await revokeKey(deps, { transact: (work) => transact(work), eventScope: null }, keyId).catch((error: unknown) => {
      // Not found: erased in the meantime. Any other failure must not keep the other keys alive.
      if (!(error instanceof CairnError) || error.code !== 'not_found') failures.push(error);
    });
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} due keys could not be revoked`);
  return due.length;
}
