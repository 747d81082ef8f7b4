import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';
import { graphEvents } from './graph-events.ts';

let memory: BootedMemory;
beforeAll(async () => {
  memory = await bootMemory({ CAIRN_GRAPH_SETTLE_MS: '200' });
});
afterAll(() => memory.close());

const healthOf = async (caller: Caller) => (await memory.call(caller, 'GET', '/api/v1/memory/health')).body;
const remove = (caller: Caller, id: string) => memory.call(caller, 'DELETE', `/api/v1/memory/documents/${id}`);

/** Each cause of ill health, as documents that bring it. */
const CAUSES: [part: string, documents: Record<string, unknown>[]][] = [
  ['freshness', [{ content: 'Ada Krull met Bruno Linde in the spring.', occurred_at: '2019-04-02T00:00:00Z' }]],
  ['coverage', [{ content: 'nothing here has a name, and nobody is called anything.' }]],
  [
    'contradictions',
    [
      { content: 'The list price of the Bolt Reader B7 is €12.' },
      { content: 'Now the list price of the Bolt Reader B7 is €15.' },
    ],
  ],
  ['orphans', [{ content: 'Somebody once saw Timbuktu.' }]],
  ['review_backlog', [{ content: 'Ines Carvalhal met Bruno Linde.' }, { content: 'Ines Carvalhall met Bruno Linde.' }]],
];

describe('the health of a memory', () => {
  it.each(CAUSES)(
    'its part %s falls when its cause is planted, says what to do, and recovers when it is removed',
    async (part, documents) => {
      const caller = memory.newCaller();
      await memory.ingest(caller, [{ content: 'Ada Krull works from the Oslo office with Bruno Linde.' }]);
      const before = await healthOf(caller);
      expect(before.parts[part]).toMatchObject({ score: 100, affected: 0, advice: '' });
      const ids = await memory.ingest(caller, documents);
      const ill = await healthOf(caller);
      expect(ill.parts[part].score).toBeLessThan(before.parts[part].score);
      expect(ill.score).toBeLessThan(before.score);
      expect(ill.parts[part].affected).toBeGreaterThan(0);
      expect(ill.parts[part].advice).not.toBe('');
      for (const id of ids) await remove(caller, id);
      const { assessed_at: _at, ...well } = await healthOf(caller);
      expect(well).toEqual({ ...before, assessed_at: undefined });
    },
  );

  it('its part failed_ingests falls with a failed document and recovers with its deletion', async () => {
    const caller = memory.newCaller();
    const [id] = await memory.ingest(caller, [{ content: 'Ada Krull works from the Oslo office.' }]);
    await memory.database.app.withTenant(caller.identity.tenantId, (tx) =>
      tx.execute(
        `UPDATE documents SET status = 'failed', error_code = 'spec', error_message = 'spec' WHERE doc_id = $1`,
        [id],
      ),
    );
    expect((await healthOf(caller)).parts.failed_ingests.score).toBeLessThan(100);
    await remove(caller, id!);
    expect((await healthOf(caller)).parts.failed_ingests.score).toBe(100);
  });

  it('its part review_backlog counts documents whose place waits for a review, until a person says it or they go', async () => {
    const caller = memory.newCaller();
    const space = memory.newSpace(caller, { name: 'Finance', description: 'Invoices, budgets and taxes' });
    memory.newSpace(caller, { name: 'Engineering', description: 'How our software is built' });
    const ids = await memory.ingest(caller, [
      { content: 'Marmalade, gooseberries, and an umbrella.' },
      { content: 'A kiln, celadon glaze, and gradual cooling.' },
    ]);
    const backlog = async () => (await healthOf(caller)).parts.review_backlog;
    expect(await backlog()).toMatchObject({
      affected: 2,
      advice: expect.stringContaining('which space a document belongs to'),
    });
    await memory.call(caller, 'POST', `/api/v1/memory/documents/${ids[0]}/route`, { space_id: space.spaceId });
    expect(await backlog()).toMatchObject({ affected: 1 });
    await remove(caller, ids[1]!);
    expect(await backlog()).toMatchObject({ affected: 0, score: 100, advice: '' });
  });

  it('its part contradictions recovers when a person resolves them, and the facts stay', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [
      { content: 'The list price of the Bolt Reader B7 is €12.' },
      { content: 'Now the list price of the Bolt Reader B7 is €15.' },
    ]);
    const listed = await memory.call(caller, 'GET', '/api/v1/memory/contradictions?status=open');
    const [open] = listed.body.contradictions;
    expect((await healthOf(caller)).parts.contradictions.affected).toBe(1);
    await memory.call(caller, 'POST', `/api/v1/memory/contradictions/${open.contradiction_id}/resolve`, {
      winner: open.facts[0].fact_id,
    });
    expect((await healthOf(caller)).parts.contradictions).toMatchObject({ affected: 0, score: 100 });
    const { body } = await memory.call(caller, 'GET', `/api/v1/memory/contradictions/${open.contradiction_id}`);
    expect(body.facts).toHaveLength(2);
  });

  it('is 100 for an empty memory, and the sum of its parts by their weights', async () => {
    const caller = memory.newCaller();
    const { score, parts } = await healthOf(caller);
    expect(score).toBe(100);
    const weights = Object.values(parts as Record<string, { weight: number }>).map((part) => part.weight);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1);
  });

  it('is assessed with an event once ingest has settled', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [{ content: 'Ada Krull works from the Oslo office with Bruno Linde.' }]);
    const assessed = await eventually(
      async () => (await graphEvents(memory, caller)).find((event) => event.payload.case === 'healthAssessed'),
      (event) => event !== undefined,
      60_000,
    );
    const { score, parts } = await healthOf(caller);
    expect(assessed!.payload.value).toMatchObject({
      score,
      parts: Object.fromEntries(
        Object.entries(parts as Record<string, { score: number }>).map(([name, part]) => [name, part.score]),
      ),
    });
  }, 90_000);

  it('is assessed though another memory, which was closed, has been due for longer and stays so', async () => {
    const [closed, caller] = [memory.newCaller(), memory.newCaller()];
    await memory.ingest(closed, [{ content: 'Bruno Linde works from the Oslo office.' }]);
    await memory.store.closeScope({ scope: { tenantId: closed.identity.tenantId, memoryId: closed.memoryId } });
    const rows = (text: string, { memoryId }: Caller) =>
      memory.database.worker.transaction((tx) => tx.query(text, [memoryId]));
    await rows(
      `UPDATE graph_memories SET revision = revision + 1, changed_at = now() - interval '1 hour' WHERE memory_id = $1`,
      closed,
    );
    await memory.ingest(caller, [{ content: 'Ada Krull works from the Oslo office.' }]);
    await eventually(
      () => rows('SELECT 1 FROM graph_memories WHERE memory_id = $1 AND assessed_revision = revision', caller),
      (assessed) => assessed.length === 1,
    );
  }, 60_000);
});
