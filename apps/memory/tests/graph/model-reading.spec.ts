import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, type ModelServer, startModelServer, textReply } from '@cairn/testing';
import pg from 'pg';
import { failUsageCommit } from '../fail-usage-commit.ts';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';
import { writeModelsFile } from '../models-file.ts';

const TEXT =
  'After a long search the board gave the Harbour programme to Ines Carvalhal, who had run the docks before.';
const GOOD = {
  subject: 'Harbour programme',
  subject_type: 'other',
  relation: 'led by',
  object: 'Ines Carvalhal',
  object_type: 'person',
  negated: false,
  quote: 'gave the Harbour programme to Ines Carvalhal',
  valid_from: '2031-01-01',
  valid_to: null,
};

let server: ModelServer;
let memory: BootedMemory;
let superuser: pg.Client;
beforeAll(async () => {
  server = await startModelServer();
  const file = await writeModelsFile(server, { extraction: { model: 'small' } });
  memory = await bootMemory({ CAIRN_MODELS_FILE: file });
  superuser = new pg.Client({ connectionString: memory.database.superuserUrl });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await memory.close();
  await server.close();
});
beforeEach(() => {
  server.calls.length = 0;
});

const says = (...statements: object[]) => server.replyWith(textReply(JSON.stringify({ statements })));

async function factsOf(caller: Caller, name: string) {
  const found = await memory.call(caller, 'GET', `/api/v1/memory/graph/entities?query=${encodeURIComponent(name)}`);
  const [entity] = found.body.entities;
  if (entity === undefined) return [];
  return (await memory.call(caller, 'GET', `/api/v1/memory/graph/entities/${entity.entity_id}`)).body.facts;
}

async function readingsOf(caller: Caller): Promise<number> {
  const { rows } = await superuser.query('SELECT count(*)::int AS n FROM memory.graph_readings WHERE memory_id = $1', [
    caller.memoryId,
  ]);
  return rows[0].n;
}

describe('a model that reads documents', () => {
  it('adds what the text bears out, with the words that say so, and nothing else', async () => {
    const caller = memory.newCaller();
    says(
      GOOD,
      { ...GOOD, object: 'Bruno Linde' },
      { ...GOOD, quote: 'the board dismissed Ines Carvalhal' },
      { ...GOOD, subject: 'Summer programme' },
      { ...GOOD, relation: '!!', object: 'docks', quote: 'run the docks before' },
    );
    await memory.ingest(caller, [{ content: TEXT }]);
    const facts = await factsOf(caller, 'harbour programme');
    expect(facts).toHaveLength(1);
    // The year stands nowhere in the text: it is a guess.
    expect(facts[0]).toMatchObject({
      relation: 'led_by',
      value: 'Ines Carvalhal',
      quote: GOOD.quote,
      valid_from: null,
    });
  });

  it('is asked once for a text, wherever it stands, and again when the text is another', async () => {
    const caller = memory.newCaller();
    says(GOOD);
    await memory.ingest(caller, [{ content: TEXT, external_id: 'one' }]);
    const once = server.calls.length;
    expect(once).toBeGreaterThan(0);
    await memory.ingest(caller, [{ content: TEXT, external_id: 'two' }]);
    expect(server.calls).toHaveLength(once);
    expect(await readingsOf(caller)).toBe(2);
    await memory.ingest(caller, [{ content: `${TEXT} That was in May.`, external_id: 'two' }]);
    expect(server.calls.length).toBeGreaterThan(once);
    expect(await readingsOf(caller)).toBe(2);
  });

  it.each([
    ['fails', { kind: 'status' as const, status: 500 }],
    ['says no JSON', textReply('The Harbour programme is nice.')],
  ])(
    'and %s leaves the document to the rules',
    async (_what, reply) => {
      const caller = memory.newCaller();
      server.replyWith(reply);
      await memory.ingest(caller, [{ content: 'Ada Krull has led the Finance team since 1 May 2021.' }]);
      expect(server.calls.length).toBeGreaterThan(0);
      expect(await factsOf(caller, 'finance')).toHaveLength(1);
      expect(await readingsOf(caller)).toBe(0);
    },
    60_000,
  );

  it('is asked once more when what it said could not be stored, and both calls are metered', async () => {
    const caller = memory.newCaller();
    says(GOOD);
    await failUsageCommit(superuser, caller.identity.tenantId);
    await memory.ingest(caller, [{ content: TEXT }]);
    expect(await readingsOf(caller)).toBe(1);
    const used = async () =>
      (await memory.events(caller.identity.tenantId)).filter(
        ({ payload }) => payload.case === 'llmUsage' && payload.value.purpose === 'extraction',
      ).length;
    await eventually(async () => (await used()) === 2);
  });

  it('leaves nothing of a document that is deleted', async () => {
    const caller = memory.newCaller();
    says(GOOD);
    const [docId] = await memory.ingest(caller, [{ content: TEXT }]);
    expect(await readingsOf(caller)).toBe(1);
    expect((await memory.call(caller, 'DELETE', `/api/v1/memory/documents/${docId}`)).status).toBe(200);
    expect(await readingsOf(caller)).toBe(0);
    expect(await factsOf(caller, 'harbour programme')).toEqual([]);
  });
});
