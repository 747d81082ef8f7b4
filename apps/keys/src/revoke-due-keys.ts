import { CairnError } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { Narrow } from './narrow/narrow.ts';
import { revokeKey } from './narrow/revoke.ts';

const SWEEP_BATCH = 100;

interface DueKeysParts {
  narrow: Narrow;
  workerDatabase: Database;
  now: () => Date;
}

/** Revokes the keys whose overlap after a rotation has ended; gives how many. Several replicas may do the same. */
export async function revokeDueKeys(parts: DueKeysParts): Promise<number> {
  const due = await parts.workerDatabase.transaction((tx) =>
    tx.query<{ key_id: string }>(
      'SELECT key_id FROM api_keys WHERE revokes_at <= $1 AND revoked_at IS NULL ORDER BY revokes_at LIMIT $2',
      [parts.now(), SWEEP_BATCH],
    ),
  );
  const transact = parts.workerDatabase.transaction;
  const failures: unknown[] = [];
  for (const { key_id: keyId } of due) {
    await revokeKey(parts, { transact: (work) => transact(work), about: null }, keyId).catch((error: unknown) => {
      // Not found: erased in the meantime. Anything else must not keep the others alive.
      if (!(error instanceof CairnError) || error.code !== 'not_found') failures.push(error);
    });
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} due keys could not be revoked`);
  return due.length;
}
