import { newId } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import { type Coordinate, type Invalidation } from '@cairn/revocation';
import type { Logger } from '@cairn/service-kit';
import { observeInvalidation } from '../gateways/gateway-metrics.ts';

export type { InvalidationTarget, Invalidation } from '@cairn/revocation';

/**
 * The only way in which a credential loses rights. The caller says which credentials are invalidated and how to commit
 * that. `commit` is called once, and its result is returned; it must throw rather than commit what was not announced,
 * and must be idempotent.
 */
export type Invalidate = <T>(invalidation: Invalidation, commit: () => Promise<T>) => Promise<T>;

/**
 * Runs the barriers of docs/revocation.md around the commit, so that no gateway goes on using the old state. A denial
 * of credentials is recorded first, so that another replica finishes one that is interrupted.
 */
export function createInvalidate(deps: {
  coordinate: Coordinate;
  workerDatabase: Database;
  logger: Logger;
}): Invalidate {
  return async (invalidation, commit) => {
    const denialId = await recordDenial(deps.workerDatabase, invalidation);
    const result = await observeInvalidation(invalidation.effect, () => deps.coordinate(invalidation, commit));
    if (denialId !== null) await deleteDenial(deps.workerDatabase, denialId);
    deps.logger.info(
      { ...invalidation.invalidated, effect: invalidation.effect },
      'invalidation: credentials invalidated',
    );
    return result;
  };
}

async function recordDenial(workerDatabase: Database, { invalidated, effect }: Invalidation): Promise<string | null> {
  if (effect !== 'deny' || invalidated.what !== 'credentials') return null;
  const denialId = newId('job');
  await workerDatabase.transaction((tx) =>
    tx.execute('INSERT INTO open_denials (denial_id, credential_ids) VALUES ($1, $2)', [denialId, invalidated.ids]),
  );
  return denialId;
}

/** A record that cannot be deleted is executed once more, which changes nothing. */
async function deleteDenial(workerDatabase: Database, denialId: string): Promise<void> {
  await workerDatabase
    .transaction((tx) => tx.execute('DELETE FROM open_denials WHERE denial_id = $1', [denialId]))
    .catch(() => undefined);
}
