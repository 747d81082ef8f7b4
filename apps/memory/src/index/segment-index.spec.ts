import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createSegmentIndex } from './segment-index.ts';
import type { IndexChunk, IndexFilter, MemoryRef } from './search-index.ts';
import { openSpecDatabase } from './spec-database.ts';
import type { SpecDatabase } from './spec-database.ts';

let database: SpecDatabase;
const index = createSegmentIndex();

beforeAll(async () => {
  database = await openSpecDatabase();
}, 60_000);
afterAll(() => database.close());

function chunk(chunkId: string, body: string, more: Partial<IndexChunk> = {}): IndexChunk {
  return {
    chunkId,
    docId: `doc_${chunkId}`,
    vaultId: 'vlt_1',
    titlePath: '',
    contextPrefix: '',
    body,
    occurredAtMs: null,
    createdAtMs: 1_000,
    ...more,
  };
}

function newMemory(): MemoryRef {
  return { tenantId: `ten_${randomUUID()}`, memoryId: `mem_${randomUUID()}` };
}

async function add(memory: MemoryRef, ...chunks: IndexChunk[]): Promise<void> {
  await database.app.withTenant(memory.tenantId, (tx) => index.add(tx, memory, chunks));
}

async function find(memory: MemoryRef, text: string, filter?: IndexFilter): Promise<string[]> {
  const hits = await database.app.withTenant(
    memory.tenantId,
    (tx) => index.search(tx, memory, { text, limit: 10, ...(filter === undefined ? {} : { filter }) }),
    { mode: 'snapshot' },
  );
  return hits.map((hit) => hit.chunkId);
}

describe('the segment index in PostgreSQL', () => {
  it('finds what was added, best first, with the document it is from', async () => {
    const memory = newMemory();
    await add(
      memory,
      chunk('a', 'The pump failed twice: the pump lost pressure.'),
      chunk('b', 'A pump.'),
      chunk('c', 'Nothing of interest here.'),
    );
    await add(memory, chunk('d', 'Pressure dropped in the pump.'));
    expect(await find(memory, 'pump pressure')).toEqual(['a', 'd', 'b']);
  });

  it('hides a memory from another tenant', async () => {
    const memory = newMemory();
    await add(memory, chunk('a', 'secret plans'));
    expect(await find(memory, 'secret')).toEqual(['a']);
    const other = await database.app.withTenant(
      'ten_other',
      (tx) => index.search(tx, memory, { text: 'secret', limit: 10 }),
      { mode: 'snapshot' },
    );
    expect(other).toEqual([]);
  });

  it('removes chunks of earlier and of the same transaction and lets an id come back', async () => {
    const memory = newMemory();
    await add(memory, chunk('a', 'alpha'), chunk('b', 'alpha beta'));
    await database.app.withTenant(memory.tenantId, async (tx) => {
      await index.add(tx, memory, [chunk('c', 'alpha')]);
      await index.remove(tx, memory, ['a', 'c', 'unknown']);
      await index.remove(tx, memory, ['a']);
    });
    expect(await find(memory, 'alpha')).toEqual(['b']);
    await add(memory, chunk('a', 'alpha again'));
    expect(await find(memory, 'alpha')).toEqual(['a', 'b']);
  });

  it('answers quoted phrases by exact position, also through stop words', async () => {
    const memory = newMemory();
    await add(
      memory,
      chunk('a', 'To be or not to be, that is the question.'),
      chunk('b', 'To question being or not being'),
      chunk('c', 'Not that to be the question'),
    );
    expect(await find(memory, '"to be or not to be"')).toEqual(['a']);
    expect(await find(memory, 'to be or not')).toEqual(expect.arrayContaining(['a', 'b', 'c']));
    expect(await find(memory, '"that is the question"')).toEqual(['a']);
  });

  it('applies filters before the limit', async () => {
    const memory = newMemory();
    await add(
      memory,
      chunk('a', 'omega omega', { vaultId: 'v1', occurredAtMs: 100 }),
      chunk('b', 'omega', { vaultId: 'v2', occurredAtMs: -200 }),
      chunk('c', 'omega', { vaultId: 'v2', createdAtMs: 5 }),
    );
    expect(await find(memory, 'omega', { vaultIds: ['v2'] })).toEqual(['b', 'c']);
    expect(await find(memory, 'omega', { occurredAt: { ltMs: 0 } })).toEqual(['b']);
    expect(await find(memory, 'omega', { not: { occurredAt: { ltMs: 0 } } })).toEqual(['a', 'c']);
    expect(await find(memory, 'omega', { docIds: new Set(['doc_c', 'doc_x']) })).toEqual(['c']);
    expect(await find(memory, 'omega', { or: [{ docIds: new Set(['doc_a']) }, { createdAt: { ltMs: 10 } }] })).toEqual([
      'a',
      'c',
    ]);
  });

  it('keeps a segment of many chunks in pages and finds in it', async () => {
    const memory = newMemory();
    const chunks = Array.from({ length: 1500 }, (_, i) =>
      chunk(`chk_${String(i).padStart(5, '0')}`, `common word${i} group${i % 7} and more of the same text number ${i}`),
    );
    await add(memory, ...chunks);
    expect(await find(memory, 'word777 common')).toHaveLength(10);
    expect((await find(memory, 'word777 common'))[0]).toBe('chk_00777');
    expect(await find(memory, '"text number 1234"')).toEqual(['chk_01234']);
  });

  it('explains a score as the exact sum of its words', async () => {
    const memory = newMemory();
    await add(memory, chunk('a', 'red green blue'), chunk('b', 'red red'), chunk('c', 'blue sky'));
    const hits = await database.app.withTenant(
      memory.tenantId,
      (tx) => index.search(tx, memory, { text: 'red blue', limit: 5, explain: true }),
      { mode: 'snapshot' },
    );
    for (const hit of hits)
      expect(hit.explanation!.terms.reduce((sum, term) => sum + term.contribution, 0)).toBe(hit.score);
    expect(hits[0]!.explanation).toMatchObject({
      chunkLength: 3,
      chunkCount: 3,
      terms: [
        { term: 'red', df: 2 },
        { term: 'blue', df: 2 },
      ],
    });
  });
});
