import type { Tx } from '@cairn/postgres';

const KEY = "hashtextextended('cairn:usage:writing', 0)";

/** Taken by everybody who writes calls, charges or tenants; they do not wait for each other. */
export async function acquireSharedWriteLock(tx: Tx): Promise<void> {
  await tx.query({ name: 'usage_writing_shared', text: `SELECT pg_advisory_xact_lock_shared(${KEY})` });
}

/** Taken to rebuild or erase: waits until nobody writes, and excludes writers until the transaction ends. */
export async function acquireExclusiveWriteLock(tx: Tx): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${KEY})`);
}
