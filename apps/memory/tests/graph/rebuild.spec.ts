import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import { createAdjacencyCache } from '../../src/graph/adjacency/adjacency-cache.ts';
import type { Adjacency } from '../../src/graph/adjacency/adjacency.ts';
import { pathsInAdjacency, walkAdjacency } from '../../src/graph/query/walk-adjacency.ts';
import { presentEntities } from '../../src/graph/query/describe-entities.ts';
import { findPath } from '../../src/graph/query/find-path.ts';
import { pathGraph, walkGraph } from '../../src/graph/query/walk-graph.ts';
import { listDecisions } from '../../src/graph/store/decision-store.ts';
import { unlinkDocuments } from '../../src/graph/linking/link-documents.ts';
import type { ReadWindows } from '../../src/graph/linking/windows.ts';
import { createPageRankSignal } from '../../src/graph/signal/page-rank-signal.ts';
import type { GraphHints, GraphSignal } from '../../src/search/graph-signal.ts';
import { MIGRATIONS } from '../../src/runtime/migrate-schema.ts';
import type { AttributedMemory } from '../../src/memories/memory-scope.ts';
import { docIdOf, perform, put, SENTENCES, type SentDocument, step } from './graph-history.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ service: 'memory', migrations: MIGRATIONS });
});
afterAll(() => database.close());

describe('the graph after any sequence of ingests, replacements, deletions, merges and splits', () => {
  it('is the graph that is built at once of what is left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const memory = newMemory();
        const remaining = new Map<number, SentDocument>();
        for (const each of steps) await inTransaction(memory, (tx) => perform(tx, memory, each, remaining));
        const grown = await inTransaction(memory, (tx) => picture(tx, memory));
        const again = newMemory();
        await inTransaction(again, async (tx) => {
          await copyDecisions(tx, memory, again);
          await put(tx, again, [...remaining.values()].toReversed());
        });
        expect(await inTransaction(again, (tx) => picture(tx, again))).toEqual(grown);
      }),
      { numRuns: 60 },
    );
  }, 240_000);

  it('gives a search the same neighbours, whether it has asked before or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const memory = newMemory();
        const remaining = new Map<number, SentDocument>();
        const asking = createPageRankSignal();
        for (const each of steps) {
          await inTransaction(memory, (tx) => perform(tx, memory, each, remaining));
          const hints = (signal: GraphSignal) => inSnapshot(memory, (tx) => hintsOf(tx, memory, signal));
          expect(await hints(asking)).toEqual(await hints(createPageRankSignal()));
        }
      }),
      { numRuns: 20 },
    );
  }, 120_000);

  it('gives a search what its snapshot sees, whatever others have asked about since', async () => {
    const memory = newMemory();
    const asking = createPageRankSignal();
    const about = (id: number): SentDocument => ({ id, vault: 0, chunks: [[0], [1]] });
    await inTransaction(memory, (tx) => put(tx, memory, [about(0)]));
    await inSnapshot(memory, async (early) => {
      const before = await hintsOf(early, memory, createPageRankSignal());
      await inTransaction(memory, (tx) => put(tx, memory, [about(1), about(2)]));
      const since = await inSnapshot(memory, (tx) => hintsOf(tx, memory, asking));
      expect(since.chunks.length).toBeGreaterThan(before.chunks.length);
      expect(await hintsOf(early, memory, asking)).toEqual(before);
    });
  });

  it('is walked in memory as by SQL, by whoever sees whatever part of it, and follows every change without being read again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const memory = newMemory();
        const remaining = new Map<number, SentDocument>();
        const cache = createAdjacencyCache();
        let isRead = false;
        for (const [at, each] of steps.entries()) {
          await inTransaction(memory, (tx) => perform(tx, memory, each, remaining));
          const found = await inSnapshot(memory, (tx) => cache.at(tx, memory, (work) => inSnapshot(memory, work)));
          await cache.settled();
          if (isRead) expect(found).not.toBeNull();
          await inSnapshot(memory, async (tx) => {
            const known = found ?? (await cache.at(tx, memory, failing));
            if (known !== null) await expectSame(tx, memory, known, at);
            isRead ||= known !== null;
          });
        }
      }),
      { numRuns: 12 },
    );
  }, 240_000);

  it('is asked by SQL for a snapshot older than what is kept, and read again where changes were not recorded', async () => {
    const memory = newMemory();
    const cache = createAdjacencyCache();
    const about = (id: number): SentDocument => ({ id, vault: 0, chunks: [[0], [1, 3]] });
    const at = (read = (work: (tx: Tx) => Promise<void>) => inSnapshot(memory, work)) =>
      inSnapshot(memory, (tx) => cache.at(tx, memory, read));
    await inTransaction(memory, (tx) => put(tx, memory, [about(0)]));
    expect(await at()).toBeNull();
    await cache.settled();
    await inSnapshot(memory, async (early) => {
      expect(await cache.at(early, memory, failing)).not.toBeNull();
      await inTransaction(memory, (tx) => put(tx, memory, [about(1)]));
      expect(await at(failing)).not.toBeNull();
      expect(await cache.at(early, memory, failing)).toBeNull();
    });
    await inTransaction(memory, async (tx) => {
      await tx.execute('UPDATE graph_names SET centrality = name_no % 3, community_id = 2');
      await tx.execute('UPDATE graph_memories SET analysed_at = now()');
      await put(tx, memory, [about(3)]);
    });
    await inSnapshot(memory, async (tx) => expectSame(tx, memory, (await cache.at(tx, memory, failing))!, 0));
    await inTransaction(memory, async (tx) => {
      await put(tx, memory, [about(2)]);
      await tx.execute("UPDATE graph_changes SET changed_at = changed_at - interval '1 day'");
    });
    expect(await at()).toBeNull();
    await cache.settled();
    await inSnapshot(memory, async (tx) => expectSame(tx, memory, (await cache.at(tx, memory, failing))!, 0));
  });

  it('is not kept beyond the share of a tenant, which leaves those of others alone', async () => {
    const [one, other] = [newMemory(), newMemory()];
    const further = { ...one, memoryId: newId('memory') };
    const cache = createAdjacencyCache({ maxBytes: 64_000 });
    const isKept = async (memory: AttributedMemory) => {
      const found = await inSnapshot(memory, (tx) => cache.at(tx, memory, (work) => inSnapshot(memory, work)));
      await cache.settled();
      return found !== null;
    };
    for (const memory of [one, other, further]) {
      await inTransaction(memory, (tx) =>
        put(tx, memory, [{ id: 0, vault: 0, chunks: [SENTENCES.map((_, at) => at)] }]),
      );
      expect(await isKept(memory)).toBe(false);
    }
    expect([await isKept(other), await isKept(further), await isKept(one)]).toEqual([true, true, false]);
  });

  it('has nothing left once every document is gone', async () => {
    const memory = newMemory();
    const documents = SENTENCES.map((_, id): SentDocument => ({
      id,
      vault: 0,
      chunks: [[id, (id + 1) % SENTENCES.length]],
    }));
    await inTransaction(memory, (tx) => put(tx, memory, documents));
    await inTransaction(memory, (tx) =>
      unlinkDocuments(
        tx,
        memory,
        documents.map((document) => docIdOf(memory, document.id)),
      ),
    );
    await inTransaction(memory, async (tx) => {
      for (const table of ['names', 'chunks', 'mentions', 'links', 'facts', 'contradictions', 'reviews', 'decisions'])
        expect([table, await tx.query(`SELECT 1 FROM graph_${table} WHERE memory_id = $1`, [memory.memoryId])]).toEqual(
          [table, []],
        );
    });
  });

  it('stays as it was when what a document says now could not be read, and follows once it can be', async () => {
    const [memory, other] = [newMemory(), newMemory()];
    const before: SentDocument = { id: 1, vault: 0, chunks: [[0, 5], [3]] };
    const after: SentDocument = { ...before, chunks: [[0, 5], [3], [1, 2]] };
    await inTransaction(memory, (tx) => put(tx, memory, [before]));
    const read = await inTransaction(memory, (tx) => picture(tx, memory));
    expect(read.facts).not.toEqual([]);
    const crashing: ReadWindows = () => Promise.reject(new Error('the process has ended'));
    await expect(inTransaction(memory, (tx) => put(tx, memory, [after], crashing))).rejects.toThrow('has ended');
    expect(await inTransaction(memory, (tx) => picture(tx, memory))).toEqual(read);
    await inTransaction(memory, (tx) => put(tx, memory, [after]));
    await inTransaction(other, (tx) => put(tx, other, [after]));
    expect(await inTransaction(memory, (tx) => picture(tx, memory))).toEqual(
      await inTransaction(other, (tx) => picture(tx, other)),
    );
  });

  it('has one type for a name that documents show differently, in whatever order they come', async () => {
    const [mention, statement] = ['calls Ada', 'family firm'].map((words) =>
      SENTENCES.findIndex((each) => each.includes(words)),
    );
    const documents = [mention!, mention!, statement!].map((at, id): SentDocument => ({
      id,
      vault: 0,
      chunks: [[at]],
    }));
    const typed = fc.asyncProperty(fc.shuffledSubarray(documents, { minLength: 3 }), async (order) => {
      const memory = newMemory();
      for (const document of order) await inTransaction(memory, (tx) => put(tx, memory, [document]));
      const { types } = await inTransaction(memory, (tx) => picture(tx, memory));
      expect((types as string[]).filter((line) => line.includes('kervalec'))).toEqual([
        'organisation  pecheries kervalec; other  pecheries kervalec: organisation',
      ]);
    });
    await fc.assert(typed, { numRuns: 6 });
  });

  it('is the same whether documents come one by one or together', async () => {
    const documents = SENTENCES.map((_, id): SentDocument => ({
      id,
      vault: id % 2,
      chunks: [[id], [(id + 3) % SENTENCES.length]],
    }));
    const [one, other] = [newMemory(), newMemory()];
    for (const document of documents) await inTransaction(one, (tx) => put(tx, one, [document]));
    await inTransaction(other, (tx) => put(tx, other, documents));
    expect(await inTransaction(one, (tx) => picture(tx, one))).toEqual(
      await inTransaction(other, (tx) => picture(tx, other)),
    );
  });
});

function newMemory(): AttributedMemory {
  return { tenantId: newId('tenant'), memoryId: newId('memory'), workspaceId: newId('workspace'), livemode: true };
}

function inTransaction<T>(memory: AttributedMemory, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.app.withTenant(memory.tenantId, work);
}

function inSnapshot<T>(memory: AttributedMemory, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.app.withTenant(memory.tenantId, work, { mode: 'snapshot' });
}

const failing = () => Promise.reject(new Error('is not to be read again'));

/** Walks and paths from some of the entities, of callers who see all, one vault, or all but one. */
async function expectSame(tx: Tx, memory: AttributedMemory, kept: Adjacency, turn: number): Promise<void> {
  const entities = await tx.query<{ entity_id: string }>(
    'SELECT DISTINCT entity_id FROM graph_names WHERE memory_id = $1 ORDER BY entity_id',
    [memory.memoryId],
  );
  const ids = entities.map((row) => row.entity_id);
  const callers = [
    { vaults: null, hidden: [] },
    { vaults: ['vault1'], hidden: [] },
    { vaults: null, hidden: ['vault1'] },
  ];
  for (const [at, visible] of callers.entries()) {
    const start = ids[(3 * turn + at) % ids.length];
    if (start === undefined) return;
    const types = turn % 5 === 4 ? ['co_occurs'] : null;
    const asked = { start, maxHops: 1 + ((turn + at) % 3), types, limit: 3 + turn, visible };
    expect(walkAdjacency(kept, asked)).toEqual(await walkGraph(tx, memory, asked));
    const ends = { source: start, target: ids[(at * 7 + 3) % ids.length]!, maxHops: 6, entitiesMax: 1_000 };
    expect(await findPath(pathsInAdjacency(kept, asked), ends)).toEqual(
      await findPath(pathGraph(tx, memory, asked), ends),
    );
  }
}

/** What the graph says to a question that names several entities, with the first chunks as what was found. */
async function hintsOf(tx: Tx, memory: AttributedMemory, signal: GraphSignal): Promise<GraphHints> {
  const chunks = await tx.query<{ doc_id: string; chunk_id: string }>(
    'SELECT doc_id, chunk_id FROM graph_chunks WHERE memory_id = $1 ORDER BY chunk_id LIMIT 3',
    [memory.memoryId],
  );
  const target = {
    ...memory,
    engineId: 'default',
    rootVaultId: 'vault0',
    vaultId: 'vault0',
    spaceId: null,
  };
  return signal.hints(tx, target, {
    question: 'Does Ada Krull of the Finance team know the Bolt Reader B7 of Norden Maschinenbau?',
    candidates: chunks.map(({ doc_id, chunk_id }, at) => ({ docId: doc_id, chunkId: chunk_id, score: 3 - at })),
    hidden: new Set(),
  });
}

async function copyDecisions(tx: Tx, from: AttributedMemory, to: AttributedMemory): Promise<void> {
  await tx.execute(`SELECT set_config('cairn.tenant_id', $1, true)`, [from.tenantId]);
  const decisions = await listDecisions(tx, from, '', null);
  await tx.execute(`SELECT set_config('cairn.tenant_id', $1, true)`, [to.tenantId]);
  for (const decision of decisions)
    await tx.execute(
      'INSERT INTO graph_decisions (tenant_id, memory_id, decision_id, kind, names, doc_ids, decided_by, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
      [
        to.tenantId,
        to.memoryId,
        decision.decision_id,
        decision.kind,
        decision.names,
        decision.doc_ids,
        decision.decided_by,
        decision.created_at,
      ],
    );
}

/** All of a graph, by names instead of numbers and ids. */
async function picture(tx: Tx, memory: AttributedMemory): Promise<Record<string, unknown>> {
  const values = [memory.memoryId];
  const key = (alias: string) => `${alias}.class || ' ' || ${alias}.sense || ' ' || ${alias}.norm`;
  const join = (alias: string, column: string) =>
    `JOIN graph_names AS ${alias} ON ${alias}.memory_id = $1 AND ${alias}.name_no = ${column}`;
  const lines = async (sql: string) => (await tx.query<{ line: string }>(sql, values)).map((row) => row.line).sort();
  const numbered = await tx.query<{ entity_id: string; names: string }>(
    `SELECT entity_id, string_agg(${key('n')}, '; ' ORDER BY ${key('n')}) AS names FROM graph_names AS n WHERE memory_id = $1 GROUP BY entity_id`,
    values,
  );
  const presented = await presentEntities(
    tx,
    memory,
    numbered.map((row) => row.entity_id),
    { vaults: null, hidden: [] },
  );
  return {
    types: numbered.map(({ entity_id, names }) => `${names}: ${presented.get(entity_id)!.type}`).sort(),
    entities: await lines(
      `SELECT string_agg(${key('n')} || ' ' || chunks || ' ' || documents || ' ' || forms, '; ' ORDER BY ${key('n')}) AS line
         FROM graph_names AS n WHERE memory_id = $1 GROUP BY entity_id`,
    ),
    mentions: await lines(
      `SELECT ${key('n')} || ' in ' || doc_id || ' ' || chunk_id AS line FROM graph_mentions AS m ${join('n', 'm.name_no')} WHERE m.memory_id = $1`,
    ),
    links: await lines(
      `SELECT ${key('a')} || ' ' || type || ' ' || ${key('b')} || ' ' || vault_id || ' ' || weight AS line
         FROM graph_links AS l ${join('a', 'l.source')} ${join('b', 'l.target')} WHERE l.memory_id = $1`,
    ),
    facts: await lines(
      `SELECT ${key('s')} || ' ' || f.relation || ' ' || f.value || ' ' || f.doc_id || ' ' || coalesce(${key('o')}, '-') || ' ' || coalesce(w.value_text, '-') AS line
         FROM graph_facts AS f ${join('s', 'f.subject_no')} LEFT ${join('o', 'f.object_no')}
         LEFT JOIN graph_facts AS w ON w.memory_id = $1 AND w.fact_id = f.superseded_by WHERE f.memory_id = $1`,
    ),
    contradictions: await lines(
      `SELECT c.relation || ' ' || c.status || ' ' || (SELECT string_agg(f.doc_id || ' ' || f.value_text, '; ' ORDER BY f.doc_id, f.chunk_id, f.value_text)
                                                   FROM graph_facts AS f WHERE f.memory_id = $1 AND f.fact_id = ANY(c.fact_ids)) AS line
         FROM graph_contradictions AS c WHERE c.memory_id = $1`,
    ),
    reviews: await lines(
      `SELECT least(${key('a')}, ${key('b')}) || ' ' || greatest(${key('a')}, ${key('b')}) AS line
         FROM graph_reviews AS r ${join('a', 'r.name_a')} ${join('b', 'r.name_b')} WHERE r.memory_id = $1 AND a.entity_id <> b.entity_id`,
    ),
  };
}
