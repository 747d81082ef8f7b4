import { newId } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import { type Coordinate, type Narrowing } from '@cairn/revocation';
import type { Logger } from '@cairn/service-kit';

export type { Narrowed, Narrowing } from '@cairn/revocation';

/**
 * The one way by which a credential comes to be good for less than before. Who narrows says what, and how to make it
 * true; `commit` may be called only once and gives what the narrowing gives. It must throw rather than commit what
 * was not announced, and must do no harm when it was done before.
 */
export type Narrow = <T>(narrowing: Narrowing, commit: () => Promise<T>) => Promise<T>;

/**
 * Everything that must happen around the commit, so that nobody goes on by what was true before: the barriers of
 * docs/revocation.md. A denial of credentials is written down first, so that one that is cut off is finished by
 * another replica.
 */
export function createNarrow(parts: { coordinate: Coordinate; workerDatabase: Database; logger: Logger }): Narrow {
  return async (narrowing, commit) => {
    const open = await writeDown(parts.workerDatabase, narrowing);
    const result = await parts.coordinate(narrowing, commit);
    if (open !== null) await strikeOut(parts.workerDatabase, open);
    parts.logger.info({ ...narrowing.narrowed, effect: narrowing.effect }, 'credentials narrowed');
    return result;
  };
}

async function writeDown(workerDatabase: Database, { narrowed, effect }: Narrowing): Promise<string | null> {
  if (effect !== 'deny' || narrowed.what !== 'credentials') return null;
  const denialId = newId('job');
  await workerDatabase.transaction((tx) =>
    tx.execute('INSERT INTO open_denials (denial_id, credential_ids) VALUES ($1, $2)', [denialId, narrowed.ids]),
  );
  return denialId;
}

/** One that cannot be struck out is done once more, which changes nothing. */
async function strikeOut(workerDatabase: Database, denialId: string): Promise<void> {
  await workerDatabase
    .transaction((tx) => tx.execute('DELETE FROM open_denials WHERE denial_id = $1', [denialId]))
    .catch(() => undefined);
}
