import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import { createTombstones, FOUNDATION_MIGRATIONS, type TombstoneScope } from '../src/index.ts';
import { migrationFolder } from './notes-schema.ts';

const CLOSED_SCOPES = `
CREATE TABLE closed_scopes (
  tenant_id text NOT NULL COLLATE "C",
  memory_id text NOT NULL COLLATE "C",
  vault_id  text NOT NULL COLLATE "C",
  PRIMARY KEY (tenant_id, memory_id, vault_id)
);
SELECT isolate_by_tenant('closed_scopes');
SELECT let_worker_cross_tenants('closed_scopes');
`;

const tombstones = createTombstones({ lockName: 'test scope' });
let database: TestDatabase;
beforeAll(async () => {
  const folder = await migrationFolder({ '0001_closed_scopes.sql': CLOSED_SCOPES });
  database = await createTestDatabase({ service: 'notes', migrations: [FOUNDATION_MIGRATIONS, folder.path] });
  await folder.remove();
});
afterAll(() => database.close());

const close = (scope: TombstoneScope) => database.worker.transaction((tx) => tombstones.close(tx, scope));
const isClosed = (tenantId: string, memoryId: string, ...vaultIds: string[]) =>
  database.worker.transaction(async (tx) => {
    const subject = { tenantId, memoryId, vaultIds };
    const closed = await tombstones.holdOpen(tx, [subject, { tenantId: 'other', memoryId: 'm', vaultIds: [] }]);
    return closed(subject);
  });

describe('a tombstone', () => {
  it('of a vault closes that vault only, however often it is set', async () => {
    const scope = { tenantId: 'a', memoryId: 'm', vaultId: 'v' };
    await close(scope);
    await close(scope);
    expect([await isClosed('a', 'm', 'v'), await isClosed('a', 'm', 'w', 'v')]).toEqual([true, true]);
    expect([await isClosed('a', 'm', 'w'), await isClosed('a', 'n', 'v'), await isClosed('b', 'm', 'v')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('of a memory closes its vaults, and of a tenant everything', async () => {
    await close({ tenantId: 'c', memoryId: 'm', vaultId: '' });
    expect([await isClosed('c', 'm', 'v'), await isClosed('c', 'm'), await isClosed('c', 'n')]).toEqual([
      true,
      true,
      false,
    ]);
    await close({ tenantId: 'c', memoryId: '', vaultId: '' });
    expect([await isClosed('c', 'n', 'v'), await isClosed('c', '')]).toEqual([true, true]);
  });

  it.each([
    ['memory', { tenantId: 'd', memoryId: 'm', vaultId: 'v' }],
    ['tenant', { tenantId: 'e', memoryId: '', vaultId: '' }],
  ])('of a %s waits for a writer that holds it open', async (_what, scope) => {
    let closing: Promise<void> | undefined;
    let isSet = false;
    await database.worker.transaction(async (tx) => {
      const subject = { tenantId: scope.tenantId, memoryId: 'm', vaultIds: ['v'] };
      const closed = await tombstones.holdOpen(tx, [subject]);
      expect(closed(subject)).toBe(false);
      closing = close(scope).finally(() => {
        isSet = true;
      });
      await sleep(300);
      expect(isSet).toBe(false);
    });
    await closing;
    expect(await isClosed(scope.tenantId, 'm', 'v')).toBe(true);
  });
});
