import { notFound } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import type { Database } from '@cairn/postgres';
import { type ApiKeyRow, findApiKey } from '../credentials/key-store.ts';
import { endsWith } from '../invalidation/revoke-key.ts';
import { assertMayEnd } from './assert-may-end.ts';

interface Deps {
  database: Database;
  workerDatabase: Database;
  now: () => Date;
}

/**
 * Throws unless the caller may revoke this one key of its tenant, and returns the key. Called outside of every
 * transaction: one that held locks while it waited for a connection of the worker's pool could wait for those whom it
 * keeps waiting. What a key came of never changes, so the decision also holds in the transaction that follows.
 */
export async function assertMayEndKey(
  { database, workerDatabase, now }: Deps,
  caller: Identity,
  keyId: string,
): Promise<ApiKeyRow> {
  const key = await database.withTenant(caller.tenantId, (tx) => findApiKey(tx, keyId));
  if (key === null) throw notFound('The key');
  await workerDatabase.withTenant(caller.tenantId, async (tx) =>
    assertMayEnd(tx, { caller, now: now(), set: { keyIds: await endsWith(tx, key) }, alone: true }),
  );
  return key;
}
