import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@cairn/postgres';
import { createLogger } from '@cairn/service-kit';
import pg from 'pg';
import { createGraphLinker, type GraphLinker } from '../../src/graph/linking/graph-linker.ts';
import { relinkSlice } from '../../src/graph/linking/relink-memory.ts';
import type { AttributedMemory } from '../../src/memories/memory-scope.ts';
import { bootMemory, type BootedMemory } from '../memory-harness.ts';
import { readHere } from '../read-here.ts';

let memory: BootedMemory;
let database: Database;
let superuser: pg.Client;
beforeAll(async () => {
  // The service's own upkeep stays out of the way.
  memory = await bootMemory({ CAIRN_GRAPH_SETTLE_MS: '3600000' });
  database = createDatabase({ url: memory.database.url, applicationName: 'spec', poolMax: 4 });
  superuser = new pg.Client({ connectionString: memory.database.superuserUrl });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await database.close();
  await memory.close();
});

/** A memory of which an older version read every document, with a linker that says which it reads. */
async function outdated(contents: readonly string[]) {
  const caller = memory.newCaller();
  const ids = (
    await memory.ingest(
      caller,
      contents.map((content) => ({ content })),
    )
  ).sort();
  const { rows } = await superuser.query(
    `UPDATE memory.graph_memories SET extractor_version = 2 WHERE memory_id = $1
     RETURNING tenant_id, memory_id, workspace_id, livemode`,
    [caller.memoryId],
  );
  await superuser.query(`UPDATE memory.graph_chunks SET read_sha256 = sha256('older') WHERE memory_id = $1`, [
    caller.memoryId,
  ]);
  const [{ tenant_id: tenantId, memory_id: memoryId, workspace_id: workspaceId, livemode }] = rows;
  const of: AttributedMemory = { tenantId, memoryId, workspaceId, livemode };
  const asked: string[] = [];
  const real = createGraphLinker(readHere, null);
  const linker: GraphLinker = {
    ...real,
    async prefetchAgain(...to) {
      asked.push(...to[2].map(({ document }) => document.doc_id));
      return real.prefetchAgain(...to);
    },
  };
  const stillOld = async () => {
    const left = await superuser.query(
      `SELECT doc_id FROM memory.graph_chunks WHERE memory_id = $1 AND read_sha256 = sha256('older')`,
      [memoryId],
    );
    return left.rows.map((row) => row.doc_id as string);
  };
  let after = '';
  const slice = (over: Partial<GraphLinker> = {}) =>
    relinkSlice({ database, linker: { ...linker, ...over }, logger: createLogger('test', 'silent') }, of, {
      after,
      sliceMs: 0,
      signal: new AbortController().signal,
      reached: async (docId) => void (after = docId),
    });
  return { ids, asked, linker, stillOld, slice };
}

const sentence = (n: number) => `Helmbrook Dairy ${n} was founded in ${1900 + n}.`;

describe('linking a memory again', () => {
  it('stops after its time, and goes on from there without reading anything twice', async () => {
    const { ids, asked, stillOld, slice } = await outdated(Array.from({ length: 20 }, (_, n) => sentence(n)));
    expect(await slice()).toBe('unfinished');
    expect((await stillOld()).sort()).toEqual(ids.slice(16));
    expect(await slice()).toBe('unfinished');
    expect(await slice()).toBe('finished');
    expect(asked.sort()).toEqual(ids);
    expect(await stillOld()).toEqual([]);
  });

  it('leaves no document behind that somebody has locked: it is not finished until that one is read, too', async () => {
    const { ids, stillOld, slice } = await outdated([0, 1, 2].map(sentence));
    await superuser.query('BEGIN');
    await superuser.query('SELECT 1 FROM memory.documents WHERE doc_id = $1 FOR UPDATE', [ids[1]]);
    try {
      expect(await slice()).toBe('blocked');
      expect(await slice()).toBe('blocked');
      expect(await stillOld()).toEqual([ids[1]]);
    } finally {
      await superuser.query('ROLLBACK');
    }
    expect(await slice()).toBe('unfinished');
    expect(await slice()).toBe('finished');
    expect(await stillOld()).toEqual([]);
  });

  it('keeps what was read of a document that cannot be read again, and reads all others', async () => {
    const { ids, linker, stillOld, slice } = await outdated([0, 1, 2, 3].map(sentence));
    const prefetchAgain: GraphLinker['prefetchAgain'] = (...to) =>
      to[2].some(({ document }) => document.doc_id === ids[2])
        ? Promise.reject(new Error('the process has ended'))
        : linker.prefetchAgain(...to);
    expect(await slice({ prefetchAgain })).toBe('unfinished');
    expect(await stillOld()).toEqual([ids[2]]);
    const { rowCount } = await superuser.query('SELECT 1 FROM memory.graph_facts WHERE doc_id = $1', [ids[2]]);
    expect(rowCount).toBeGreaterThan(0);
    expect(await slice({ prefetchAgain })).toBe('finished');
  });
});
