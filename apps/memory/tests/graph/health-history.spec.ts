import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { measureHealth } from '../../src/graph/health/measure-health.ts';
import { recordHealth } from '../../src/graph/health/record-health.ts';
import { scoreHealth } from '../../src/graph/health/score-health.ts';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';

let memory: BootedMemory;
beforeAll(async () => {
  // Nothing is assessed but by the specs.
  memory = await bootMemory({ CAIRN_GRAPH_SETTLE_MS: '3600000' });
});
afterAll(() => memory.close());

const scopeOf = (caller: Caller) => ({ tenantId: caller.identity.tenantId, memoryId: caller.memoryId });
const get = (caller: Caller, query = '') => memory.call(caller, 'GET', `/api/v1/memory/health/history${query}`);
const inTenant = (caller: Caller, sql: string, values: unknown[] = []) =>
  memory.database.app.withTenant(caller.identity.tenantId, (tx) => tx.execute(sql, values));

const assess = (caller: Caller) =>
  memory.database.app.withTenant(caller.identity.tenantId, async (tx) => {
    const figures = await measureHealth(tx, scopeOf(caller), { vaults: null, hidden: [] });
    await recordHealth(tx, scopeOf(caller), figures, scoreHealth(figures));
  });
/** As if what is there had been assessed so long ago. */
const age = async (caller: Caller, interval: string) => {
  await inTenant(caller, `UPDATE health_history SET assessed_at = assessed_at - interval '${interval}'`);
  await inTenant(caller, `UPDATE documents SET created_at = created_at - interval '${interval}'`);
};
const addDocument = (caller: Caller, status = 'completed') =>
  inTenant(
    caller,
    `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, title, media_type, content_sha256, content_bytes, status)
     VALUES ($1, $2, $3, 'ws_1', true, $4, 'spec', 'text/plain', sha256(convert_to($3::text, 'UTF8')), 1, $5)`,
    [caller.identity.tenantId, caller.memoryId, newId('document'), caller.vaultId, status],
  );

describe('the history of health', () => {
  it('has one row for each change, with the documents that came and went, newest first', async () => {
    const caller = memory.newCaller();
    await assess(caller);
    await age(caller, '3 days');
    await addDocument(caller, 'failed');
    await addDocument(caller, 'failed');
    await assess(caller);
    await age(caller, '2 days');
    await inTenant(caller, `DELETE FROM documents WHERE doc_id = (SELECT min(doc_id) FROM documents)`);
    await assess(caller);
    const { body } = await get(caller);
    expect(body.history).toMatchObject([
      { documents: 1, documents_added: 0, documents_deleted: 1, parts: { failed_ingests: { affected: 1 } } },
      { documents: 2, documents_added: 2, documents_deleted: 0, parts: { failed_ingests: { affected: 2 } } },
      { documents: 0, score: 100, documents_added: 0, documents_deleted: 0 },
    ]);
    const times = body.history.map((row: { assessed_at: string }) => row.assessed_at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('has one row a day when nothing changes, and one for changes within ten minutes', async () => {
    const caller = memory.newCaller();
    await assess(caller);
    await assess(caller);
    expect((await get(caller)).body.history).toHaveLength(1);
    await addDocument(caller, 'failed');
    await assess(caller);
    expect((await get(caller)).body.history).toMatchObject([{ documents: 1, documents_added: 1 }]);
    await age(caller, '1 day');
    await assess(caller);
    await assess(caller);
    expect((await get(caller)).body.history).toMatchObject([
      { documents: 1, documents_added: 0 },
      { documents: 1, documents_added: 1 },
    ]);
  });

  it('is read by pages and by time, and kept for 400 days', async () => {
    const caller = memory.newCaller();
    for (let day = 0; day < 3; day += 1) {
      await assess(caller);
      await age(caller, '1 day');
    }
    const whole = (await get(caller)).body.history;
    expect(whole).toHaveLength(3);
    const first = (await get(caller, '?limit=2')).body;
    const rest = (await get(caller, `?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.history, ...rest.history]).toEqual(whole);
    expect(rest).not.toHaveProperty('next_cursor');
    const middle = new Date(Date.parse(whole[1].assessed_at) - 3_600_000).toISOString();
    expect((await get(caller, `?from=${middle}`)).body.history).toEqual(whole.slice(0, 2));
    expect((await get(caller, `?to=${middle}`)).body.history).toEqual(whole.slice(2));
    await age(caller, '398 days');
    await assess(caller);
    expect((await get(caller)).body.history).toHaveLength(2);
  });

  it('is refused to a key of one space, and shows nothing of another tenant or memory', async () => {
    const caller = memory.newCaller();
    await assess(caller);
    const space = memory.newSpace(caller);
    const inside = { ...caller, identity: { ...caller.identity, memoryId: caller.memoryId, spaceId: space.spaceId } };
    expect(await get(inside)).toMatchObject({ status: 403, body: { code: 'memory_not_permitted' } });
    expect((await get(memory.newCaller())).body).toEqual({ history: [] });
    expect((await get(memory.newMemory(caller))).body).toEqual({ history: [] });
    expect((await get(memory.newCaller(), `?memory_id=${caller.memoryId}`)).status).toBe(404);
    expect((await get(caller, '?cursor=yesterday')).status).toBe(422);
  });
});
