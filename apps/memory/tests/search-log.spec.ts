import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import { MIGRATIONS } from '../src/runtime/migrate-schema.ts';
import type { Engines } from '../src/memories/engines.ts';
import type { TargetMemory } from '../src/memories/memory-scope.ts';
import { createSearchLog } from '../src/search/log/search-log.ts';
import { saveSettings } from '../src/search/log/search-log-store.ts';

const TENANT_PENDING_MAX = 50;
const PENDING_MAX = 500;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ service: 'memory', migrations: MIGRATIONS });
});
afterAll(() => database.close());

function newTarget(tenantId = newId('tenant')): TargetMemory {
  const vaultId = newId('vault');
  return {
    tenantId,
    memoryId: newId('memory'),
    workspaceId: newId('workspace'),
    vaultId,
    rootVaultId: vaultId,
    spaceId: null,
  } as TargetMemory;
}

const search = () => ({
  search_id: newId('search'),
  asked_at: new Date(),
  question: 'Who keeps the keys?',
  answered: true,
  generated: false,
  confidence: 0.5,
  citations: [],
  took_ms: 3,
  credential_id: newId('key'),
});

/** The search log of one replica, over the one database. `held` keeps it from writing. */
function replica(held: Promise<void> = Promise.resolve()) {
  const open = (work: Parameters<Engines['write']>[1], target: TargetMemory) =>
    database.app.withTenant(target.tenantId, (tx) => work({ tx, closedVaults: new Set() } as never));
  return createSearchLog({
    engines: {
      read: ((target: TargetMemory, work: never) => open(work, target)) as Engines['read'],
      write: (async (target: TargetMemory, work: never) => {
        await held;
        return open(work, target);
      }) as Engines['write'],
    },
    settings: { read: async () => ({ dlp_policy: 'off' }) } as never,
    pool: { maskWords: async (_tenantId, text) => text },
    logger: { warn: () => undefined },
  });
}

const turn = (target: TargetMemory, enabled: boolean) =>
  database.app.withTenant(target.tenantId, (tx) => saveSettings(tx, target, { enabled }));
const kept = async (target: TargetMemory) =>
  (
    await database.app.withTenant(target.tenantId, (tx) =>
      tx.query<{ search_id: string }>('SELECT search_id FROM search_log WHERE memory_id = $1 ORDER BY search_id', [
        target.memoryId,
      ]),
    )
  ).map((row) => row.search_id);

describe('the search log', () => {
  it('holds so many searches of one tenant, and so many in all, and leaves out the rest', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const log = replica(held);
    const [loud, ...others] = Array.from({ length: 15 }, () => newTarget());
    for (const target of [loud!, ...others]) await turn(target, true);
    const noted = Array.from({ length: TENANT_PENDING_MAX + 30 }, search);
    for (const each of noted) log.note(loud!, each);
    // The quiet ones are not held up by the loud one, up to what is held in all.
    for (const target of others) for (let n = 0; n < 40; n += 1) log.note(target, search());
    release();
    await log.close();
    expect(await kept(loud!)).toEqual(
      noted
        .slice(0, TENANT_PENDING_MAX)
        .map(({ search_id }) => search_id)
        .sort(),
    );
    const counts = await Promise.all(others.map(async (target) => (await kept(target)).length));
    expect(counts.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => 40));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(PENDING_MAX - TENANT_PENDING_MAX);
    // There is room again.
    const later = search();
    log.note(loud!, later);
    await log.settled(later.search_id);
    expect(await kept(loud!)).toContain(later.search_id);
  });

  it('keeps nothing any more at any replica once it was turned off at one, and each search once', async () => {
    const target = newTarget();
    const [one, other] = [replica(), replica()];
    await turn(target, true);
    const before = [search(), search()];
    one.note(target, before[0]!);
    other.note(target, before[1]!);
    await Promise.all([one.settled(before[0]!.search_id), other.settled(before[1]!.search_id)]);
    await turn(target, false);
    one.forget(target);
    // The other replica does not know yet, and its database does.
    const after = [search(), search()];
    one.note(target, after[0]!);
    other.note(target, after[1]!);
    await Promise.all([one.close(), other.close()]);
    expect(await kept(target)).toEqual(before.map(({ search_id }) => search_id).sort());
  });
});
