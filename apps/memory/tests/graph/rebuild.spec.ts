import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import { deleteDecision, findDecision, insertDecision, listDecisions } from '../../src/graph/store/decision-store.ts';
import { applyDecision } from '../../src/graph/decisions/apply-decision.ts';
import { linkDocuments, unlinkDocuments } from '../../src/graph/linking/link-documents.ts';
import { type ReadWindows, windowsOf } from '../../src/graph/linking/windows.ts';
import { presentEntities } from '../../src/graph/query/describe-entities.ts';
import { keyText } from '../../src/graph/names/name-similarity.ts';
import { namesByKeyText, namesOfEntities } from '../../src/graph/store/name-store.ts';
import { createPageRankSignal } from '../../src/graph/signal/page-rank-signal.ts';
import type { GraphHints, GraphSignal } from '../../src/search/graph-signal.ts';
import { MIGRATIONS } from '../../src/runtime/migrate-schema.ts';
import type { AttributedMemory } from '../../src/memories/memory-scope.ts';
import { readHere } from '../read-here.ts';

/** Sentences that share names, spellings, homonyms, values that disagree, aliases and negations. */
const SENTENCES = [
  'Ada Krull leads the Finance team.',
  'The Finance team is led by Bruno Linde.',
  'Krull, Ada reports to Bruno Linde.',
  'The list price of the Bolt Reader B7 is €12.',
  'The list price of the Bolt Reader B7 is €14.',
  'Norden Maschinenbau GmbH is based in Oslo.',
  'Norden Maschinenbau is based in Bergen.',
  'Nordenn Maschinenbau makes the Bolt Reader B7.',
  'Dr. Jordan lives in Jordan.',
  'Jordan exports the Bolt Reader B7.',
  'Backups are kept for 90 days.',
  'Backups are deleted after 30 days.',
  'The Basic plan includes telephone support.',
  'The Basic plan does not include telephone support.',
  'Émile Kranz and A. Krull work in Zürich.',
  'Emile Kranz met Ada Krull.',
  // Guessed to be a person where nothing is said of it.
  'Pêcheries Kervalec calls Ada Krull.',
  'Pêcheries Kervalec is a family firm in Brittany.',
];

interface SentDocument {
  id: number;
  vault: number;
  chunks: number[][];
}

type Step =
  | { kind: 'put'; document: SentDocument }
  | { kind: 'delete'; id: number }
  | { kind: 'merge'; a: number; b: number }
  | { kind: 'split'; entity: number; document: number }
  | { kind: 'undo'; decision: number };

const sentence = fc.nat({ max: SENTENCES.length - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      document: fc.record({
        id: fc.nat({ max: 5 }),
        vault: fc.nat({ max: 1 }),
        chunks: fc.array(fc.array(sentence, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), id: fc.nat({ max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), a: fc.nat({ max: 30 }), b: fc.nat({ max: 30 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('split' as const),
      entity: fc.nat({ max: 30 }),
      document: fc.nat({ max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo' as const), decision: fc.nat({ max: 3 }) }) },
);

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
        const standing = new Map<number, SentDocument>();
        for (const each of steps) await inTransaction(memory, (tx) => perform(tx, memory, each, standing));
        const grown = await inTransaction(memory, (tx) => picture(tx, memory));
        const again = newMemory();
        await inTransaction(again, async (tx) => {
          await copyDecisions(tx, memory, again);
          await put(tx, again, [...standing.values()].toReversed());
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
        const standing = new Map<number, SentDocument>();
        const asking = createPageRankSignal();
        for (const each of steps) {
          await inTransaction(memory, (tx) => perform(tx, memory, each, standing));
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
        'organisation  pecheries kervalec; person  pecheries kervalec: organisation',
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

/** What the graph says to a question that names several entities, with the first chunks as what was found. */
async function hintsOf(tx: Tx, memory: AttributedMemory, signal: GraphSignal): Promise<GraphHints> {
  const chunks = await tx.query<{ doc_id: string; chunk_id: string }>(
    'SELECT doc_id, chunk_id FROM graph_chunks WHERE memory_id = $1 ORDER BY chunk_id LIMIT 3',
    [memory.memoryId],
  );
  const target = {
    ...memory,
    dlpPolicy: 'off' as const,
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

const docIdOf = (_memory: AttributedMemory, id: number) => `doc_${id}`;

async function put(
  tx: Tx,
  memory: AttributedMemory,
  documents: readonly SentDocument[],
  read: ReadWindows = readHere,
): Promise<void> {
  await linkDocuments(
    tx,
    memory,
    documents.map(({ id, vault, chunks }) => ({
      document: { doc_id: docIdOf(memory, id), vault_id: `vault${vault}`, occurred_at: null },
      windows: windowsOf(
        chunks.map((sentences, ordinal) => ({
          // As in ingestion: a chunk whose text stays, stays itself.
          chunk_id: `chk_${id}_${vault}_${ordinal}_${sentences.join('-')}`,
          doc_id: docIdOf(memory, id),
          vault_id: `vault${vault}`,
          title_path: '',
          body: sentences.map((at) => SENTENCES[at]!).join(' '),
        })),
        () => [],
      ),
    })),
    read,
  );
}

async function perform(
  tx: Tx,
  memory: AttributedMemory,
  each: Step,
  standing: Map<number, SentDocument>,
): Promise<void> {
  if (each.kind === 'put') {
    standing.set(each.document.id, each.document);
    return put(tx, memory, [each.document]);
  }
  if (each.kind === 'delete') {
    standing.delete(each.id);
    return unlinkDocuments(tx, memory, [docIdOf(memory, each.id)]);
  }
  if (each.kind === 'undo') {
    const decisions = await listDecisions(tx, memory, '', null);
    const decision = decisions[each.decision % Math.max(1, decisions.length)];
    if (decision === undefined || (await findDecision(tx, memory, decision.decision_id)) === null) return;
    await deleteDecision(tx, memory, decision.decision_id);
    return applyDecision(tx, memory, await namesByKeyText(tx, memory, decision.names), decision);
  }
  const entities = (
    await tx.query<{ entity_id: string }>(
      'SELECT entity_id FROM graph_names WHERE memory_id = $1 GROUP BY entity_id ORDER BY min(norm || class || sense)',
      [memory.memoryId],
    )
  ).map((row) => row.entity_id);
  if (entities.length < 2) return;
  const chosen = each.kind === 'merge' ? [each.a, each.b] : [each.entity];
  const names = await namesOfEntities(
    tx,
    memory,
    chosen.map((at) => entities[at % entities.length]!),
  );
  const docIds = each.kind === 'merge' ? [] : [docIdOf(memory, each.document)];
  const kept = each.kind === 'merge' ? names : names.filter((name) => name.sense === '');
  if (kept.length === 0 || (each.kind === 'split' && !standing.has(each.document))) return;
  const decision = await insertDecision(tx, memory, {
    decision_id: newId('decision'),
    kind: each.kind,
    names: [...new Set(kept.map(keyText))],
    doc_ids: docIds,
    decided_by: 'key_spec',
  });
  await applyDecision(tx, memory, names, decision);
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
