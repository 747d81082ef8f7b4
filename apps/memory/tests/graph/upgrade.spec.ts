import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import pg from 'pg';
import { EXTRACTOR_VERSION } from '../../src/graph/extract/extraction.ts';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';

let memory: BootedMemory;
let superuser: pg.Client;
beforeAll(async () => {
  memory = await bootMemory({ CAIRN_GRAPH_SETTLE_MS: '200' });
  superuser = new pg.Client({ connectionString: memory.database.superuserUrl });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await memory.close();
});

const entitiesOf = async (caller: Caller, query: string) =>
  (await memory.call(caller, 'GET', `/api/v1/memory/graph/entities?query=${query}`)).body.entities as {
    entity_id: string;
    name: string;
    type: string;
    attributes: object;
  }[];

async function versionOf(caller: Caller): Promise<number> {
  const { rows } = await superuser.query('SELECT extractor_version FROM memory.graph_memories WHERE memory_id = $1', [
    caller.memoryId,
  ]);
  return rows[0].extractor_version;
}

/** Rows as version 2 wrote them: no fact of a founding, a name without a class, a digest of the chunk alone. */
async function asVersionTwoLeftIt(caller: Caller): Promise<void> {
  const of = [caller.memoryId];
  await superuser.query('DELETE FROM memory.graph_contradictions WHERE memory_id = $1', of);
  await superuser.query('DELETE FROM memory.graph_facts WHERE memory_id = $1', of);
  await superuser.query(`UPDATE memory.graph_names SET class = 'other' WHERE memory_id = $1`, of);
  await superuser.query(
    `UPDATE memory.graph_chunks SET read_sha256 = sha256(convert_to('2 rules' || chunk_id, 'UTF8')) WHERE memory_id = $1`,
    of,
  );
  await superuser.query('UPDATE memory.graph_memories SET extractor_version = DEFAULT WHERE memory_id = $1', of);
}

it('what an older extractor read is read again in the background: facts, classes, contradictions, nothing left over', async () => {
  const caller = memory.newCaller();
  await memory.ingest(caller, [
    { content: 'Helmbrook Dairy was founded in 1987.' },
    { content: 'Founded in 1992, Helmbrook Dairy is based in Bergen.' },
  ]);
  const fresh = await entitiesOf(caller, 'helmbrook');
  expect(fresh).toMatchObject([{ name: 'Helmbrook Dairy', type: 'organisation' }]);
  expect(await versionOf(caller)).toBe(EXTRACTOR_VERSION);

  await asVersionTwoLeftIt(caller);
  const again = await eventually(
    async () => ({ version: await versionOf(caller), entities: await entitiesOf(caller, 'helmbrook') }),
    ({ version }) => version === EXTRACTOR_VERSION,
  );
  expect(again.entities).toMatchObject([
    { name: 'Helmbrook Dairy', type: 'organisation', attributes: { headquarters: 'Bergen' } },
  ]);
  const { contradictions } = (await memory.call(caller, 'GET', '/api/v1/memory/contradictions')).body;
  expect(contradictions).toHaveLength(1);
  expect(contradictions[0].facts.map((fact: { quote: string }) => fact.quote).sort()).toEqual([
    'Founded in 1992, Helmbrook Dairy is based in Bergen.',
    'Helmbrook Dairy was founded in 1987.',
  ]);
});

it('what people decided about places stays decided when the statements are read again', async () => {
  const caller = memory.newCaller();
  await memory.ingest(caller, [
    { content: 'Torvald Ship Repair is headquartered in Bergen.' },
    { content: 'Torvald Ship Repair is headquartered in Stavanger.' },
  ]);
  const path = '/api/v1/memory/contradictions';
  const [open] = (await memory.call(caller, 'GET', path)).body.contradictions;
  const winner = open.facts.find((fact: { value: string }) => fact.value === 'Stavanger').fact_id;
  await memory.call(caller, 'POST', `${path}/${open.contradiction_id}/resolve`, { winner, note: 'Register' });

  // As version 2 wrote them: a place was a text.
  const asText = (value: string) =>
    `CASE ${value}->>'kind' WHEN 'place' THEN jsonb_build_object('kind', 'text', 'text', lower(${value}->>'text')) ELSE ${value} END`;
  const of = [caller.memoryId];
  const { rowCount } = await superuser.query(
    `UPDATE memory.graph_facts SET value = ${asText('value')} WHERE memory_id = $1 AND value->>'kind' = 'place'`,
    of,
  );
  expect(rowCount).toBe(2);
  await superuser.query(
    `UPDATE memory.graph_contradictions SET decided =
       (SELECT jsonb_agg(jsonb_build_object('value', ${asText(`one->'value'`)}, 'negated', one->'negated') ORDER BY at)
          FROM jsonb_array_elements(decided) WITH ORDINALITY AS each (one, at)) WHERE memory_id = $1`,
    of,
  );
  await superuser.query(`UPDATE memory.graph_chunks SET read_sha256 = sha256('older') WHERE memory_id = $1`, of);
  await superuser.query('UPDATE memory.graph_memories SET extractor_version = DEFAULT WHERE memory_id = $1', of);
  await eventually(
    () => versionOf(caller),
    (version) => version === EXTRACTOR_VERSION,
  );
  const { contradictions } = (await memory.call(caller, 'GET', path)).body;
  expect(contradictions).toMatchObject([{ status: 'resolved', note: 'Register' }]);
  expect(contradictions[0].contradiction_id).toBe(open.contradiction_id);
  const holding = contradictions[0].facts.find(
    (fact: { fact_id: string }) => fact.fact_id === contradictions[0].winner,
  );
  expect(holding).toMatchObject({ value: 'Stavanger' });
});
