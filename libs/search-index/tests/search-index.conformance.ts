import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@cairn/postgres';
import type { IndexChunk, IndexFilter, IndexHit, IndexQuery, IndexScope, SearchIndex } from '../src/search-index.ts';

/** What an adapter's spec provides: the index, and a database whose transactions it takes part in. */
export interface IndexUnderTest {
  index: SearchIndex;
  database: Database;
  /** Brings pending background work to an end, e.g. runs all merges that are due. */
  settle: (memory: IndexScope) => Promise<void>;
  close: () => Promise<void>;
}

const LIMIT = 10;

function chunk(chunkId: string, body: string, more: Partial<IndexChunk> = {}): IndexChunk {
  const plain = {
    docId: `doc_${chunkId}`,
    vaultId: 'vlt_1',
    titlePath: '',
    contextPrefix: '',
    occurredAtMs: null,
    createdAtMs: 1_000,
  };
  return { chunkId, body, ...plain, ...more };
}

function newMemory(): IndexScope {
  return { tenantId: `ten_${randomUUID()}`, memoryId: `mem_${randomUUID()}` };
}

/** What an adapter cannot promise, because its engine has no part in PostgreSQL's transactions. */
interface IndexProfile {
  /** A transaction finds what it has written itself, and every later one what was committed, without `publish`. */
  findsAtCommit: boolean;
}

const WHOLE_PORT: IndexProfile = { findsAtCommit: true };

/** What the guarantees are said with. */
class Harness {
  current: IndexUnderTest | null = null;
  readonly profile: IndexProfile;

  constructor(profile: IndexProfile) {
    this.profile = profile;
  }

  get under(): IndexUnderTest {
    if (this.current === null) throw new Error('the index is not open');
    return this.current;
  }

  async add(memory: IndexScope, ...chunks: IndexChunk[]): Promise<void> {
    await this.under.database.withTenant(memory.tenantId, (tx) => this.under.index.add(tx, memory, chunks));
  }

  async remove(memory: IndexScope, ...ids: string[]): Promise<void> {
    await this.under.database.withTenant(memory.tenantId, (tx) => this.under.index.remove(tx, memory, ids));
  }

  async search(memory: IndexScope, query: Partial<IndexQuery> & { text: string }): Promise<IndexHit[]> {
    const { index, database } = this.under;
    if (!this.profile.findsAtCommit) await index.publish(memory);
    return database.withTenant(memory.tenantId, (tx) => index.search(tx, memory, { limit: LIMIT, ...query }), {
      mode: 'snapshot',
    });
  }

  async find(memory: IndexScope, text: string, filter?: IndexFilter): Promise<string[]> {
    return (await this.search(memory, filter === undefined ? { text } : { text, filter })).map((hit) => hit.chunkId);
  }
}

/** The guarantees of the SearchIndex port. Every adapter's spec calls this. */
export function describeSearchIndex(
  name: string,
  open: () => Promise<IndexUnderTest>,
  profile: IndexProfile = WHOLE_PORT,
): void {
  describe(`${name} as a SearchIndex`, () => {
    const harness = new Harness(profile);
    beforeAll(async () => {
      harness.current = await open();
    }, 60_000);
    afterAll(() => harness.under.close());
    declareFinding(harness);
    declareChanging(harness);
    declareIdentity(harness);
    declareAsking(harness);
  });
}

function declareFinding(harness: Harness): void {
  it('a search finds what was added, best first, with its document', async () => {
    const memory = newMemory();
    await harness.add(
      memory,
      chunk('a', 'The pump failed twice: the pump lost pressure.'),
      chunk('b', 'A pump.'),
      chunk('c', 'Nothing here.'),
    );
    await harness.add(memory, chunk('d', 'Pressure dropped in the pump.'));
    const hits = await harness.search(memory, { text: 'pump pressure' });
    expect(hits.map((hit) => hit.chunkId)).toEqual(['d', 'a', 'b']);
    expect(hits.map((hit) => hit.docId)).toEqual(['doc_d', 'doc_a', 'doc_b']);
    const scores = hits.map((hit) => hit.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('a search finds words of the title and of the context prefix', async () => {
    const memory = newMemory();
    await harness.add(
      memory,
      chunk('a', 'It was replaced.', { titlePath: 'Compressor manual', contextPrefix: 'Bearing on 2026-03-14' }),
      chunk('b', 'Other.'),
    );
    expect(await harness.find(memory, 'compressor')).toEqual(['a']);
    expect(await harness.find(memory, 'bearing')).toEqual(['a']);
    expect(await harness.find(memory, 'what happened on 14 March 2026?')).toEqual(['a']);
  });

  it('a search breaks ties by chunk id, across segments', async () => {
    const memory = newMemory();
    await harness.add(memory, chunk('d', 'same words'), chunk('b', 'same words'));
    await harness.add(memory, chunk('c', 'same words'), chunk('a', 'same words'));
    expect(await harness.find(memory, 'same words')).toEqual(['a', 'b', 'c', 'd']);
    expect((await harness.search(memory, { text: 'same words', limit: 3 })).map((hit) => hit.chunkId)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('a search finds nothing in an empty memory, for a query without words, and with a limit of 0', async () => {
    const memory = newMemory();
    expect(await harness.find(memory, 'anything')).toEqual([]);
    await harness.add(memory, chunk('a', 'anything'));
    expect(await harness.find(memory, '?! …')).toEqual([]);
    expect(await harness.search(memory, { text: 'anything', limit: 0 })).toEqual([]);
  });

  it('a search finds identifiers and numbers whole and in parts', async () => {
    const memory = newMemory();
    await harness.add(memory, chunk('a', 'ERR-4711 came back in v2.3.1'), chunk('b', 'ERR-4712 came back in v2.3.2'));
    expect((await harness.find(memory, 'ERR-4711'))[0]).toBe('a');
    expect(await harness.find(memory, '4712')).toEqual(['b']);
    expect(await harness.find(memory, '2.3.2')).toContain('b');
  });
}

function declareChanging(harness: Harness): void {
  it('a search shows nothing of a transaction that rolled back, neither its adds nor its deletes', async () => {
    const memory = newMemory();
    await harness.add(memory, chunk('a', 'kept'));
    const rolledBack = harness.under.database.withTenant(memory.tenantId, async (tx) => {
      await harness.under.index.add(tx, memory, [chunk('b', 'kept')]);
      await harness.under.index.remove(tx, memory, ['a']);
      const inside = await harness.under.index.search(tx, memory, { text: 'kept', limit: LIMIT });
      if (harness.profile.findsAtCommit) expect(inside.map((hit) => hit.chunkId)).toEqual(['b']);
      else expect(inside.map((hit) => hit.chunkId)).not.toContain('a');
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await harness.find(memory, 'kept')).toEqual(['a']);
    await harness.remove(memory, 'unknown');
    await harness.add(memory, chunk('c', 'kept'));
    expect(await harness.find(memory, 'kept')).toEqual(['a', 'c']);
  });

  it('chunks of earlier and of the same transaction are removed, any number of times, and an id may be added again', async () => {
    const memory = newMemory();
    await harness.add(memory, chunk('a', 'alpha'), chunk('b', 'alpha beta'));
    await harness.under.database.withTenant(memory.tenantId, async (tx) => {
      await harness.under.index.add(tx, memory, [chunk('c', 'alpha')]);
      await harness.under.index.remove(tx, memory, ['a', 'c', 'unknown']);
      await harness.under.index.remove(tx, memory, ['a']);
    });
    expect(await harness.find(memory, 'alpha')).toEqual(['b']);
    await harness.add(memory, chunk('a', 'alpha gamma delta'));
    expect(await harness.find(memory, 'alpha')).toEqual(['b', 'a']);
    await harness.under.settle(memory);
    expect(await harness.find(memory, 'alpha')).toEqual(['b', 'a']);
  });

  it('a dropped memory is not found, and its id starts with an empty index', async () => {
    const memory = newMemory();
    await harness.add(memory, chunk('a', 'first life'), chunk('b', 'first life'));
    await harness.remove(memory, 'a');
    expect(await harness.find(memory, 'life')).toEqual(['b']);
    await harness.under.database.withTenant(memory.tenantId, (tx) => harness.under.index.drop(tx, memory));
    expect(await harness.find(memory, 'life')).toEqual([]);
    await harness.add(memory, chunk('a', 'second life'), chunk('b', 'second life'));
    await harness.remove(memory, 'b');
    expect(await harness.find(memory, 'life')).toEqual(['a']);
  });
}

function declareIdentity(harness: Harness): void {
  it('a memory is hidden from other tenants and from other memories of its tenant', async () => {
    const memory = newMemory();
    await harness.add(memory, chunk('a', 'secret plans'));
    expect(await harness.find(memory, 'secret')).toEqual(['a']);
    expect(await harness.find({ ...memory, memoryId: 'mem_other' }, 'secret')).toEqual([]);
    const foreign = await harness.under.database.withTenant(
      'ten_other',
      (tx) => harness.under.index.search(tx, memory, { text: 'secret', limit: LIMIT }),
      { mode: 'snapshot' },
    );
    expect(foreign).toEqual([]);
  });

  it('ids of any text are returned unchanged', async () => {
    const memory = newMemory();
    const ids = ['ä/ö', '東京 ‑ 1', '😀', '\uffee', ' ', "'; DROP TABLE chunks; --", 'x'.repeat(200)];
    await harness.add(memory, ...ids.map((id) => chunk(id, 'odd', { docId: `${id}!` })));
    const hits = await harness.search(memory, { text: 'odd' });
    expect(hits.map((hit) => hit.chunkId).sort()).toEqual([...ids].sort());
    for (const hit of hits) expect(hit.docId).toBe(`${hit.chunkId}!`);
  });

  it('a search ends when its signal is aborted', async () => {
    const memory = newMemory();
    await harness.add(memory, chunk('a', 'word'));
    await expect(
      harness.search(memory, { text: 'word', signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough');
  });
}

function declareAsking(harness: Harness): void {
  it('a quoted phrase is found by exact positions, also across stop words', async () => {
    const memory = newMemory();
    await harness.add(
      memory,
      chunk('a', 'To be or not to be, that is the question.'),
      chunk('b', 'To question being or not being'),
      chunk('c', 'Not that to be the question'),
    );
    expect(await harness.find(memory, '"to be or not to be"')).toEqual(['a']);
    expect(await harness.find(memory, '"the question"')).toEqual(expect.arrayContaining(['a', 'c']));
    expect(await harness.find(memory, '"question that"')).toEqual([]);
    expect(await harness.find(memory, 'to be or not')).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  });

  it('a search scores what the caller may see as if the index held nothing else', async () => {
    const mine = [
      chunk('a', 'The green ferry sails at noon and the ferry is slow.', { vaultId: 'mine' }),
      chunk('b', 'Noon is when the harbour opens.', { vaultId: 'mine' }),
      chunk('c', 'Die Fähre legt um zwölf Uhr im Hafen an und fährt gegen Abend zurück.', { vaultId: 'mine' }),
    ];
    const ask = async (memory: IndexScope) =>
      harness.search(memory, {
        text: 'green ferry at noon in the harbour',
        within: { vaultIds: ['mine'] },
        explain: true,
      });
    const alone = newMemory();
    await harness.add(alone, ...mine);
    const expected = await ask(alone);
    expect(expected.map((hit) => hit.chunkId)).toEqual(['a', 'b']);
    const crowded = newMemory();
    await harness.add(crowded, mine[0]!, chunk('x', 'ferry ferry ferry noon green', { vaultId: 'other' }));
    await harness.add(crowded, mine[1]!, mine[2]!);
    for (let more = 0; more < 5; more++)
      await harness.add(
        crowded,
        chunk(`y${more}`, 'El barco verde zarpa al mediodía del puerto.', { vaultId: 'other' }),
      );
    expect(await ask(crowded)).toEqual(expected);
    await harness.under.settle(crowded);
    expect(await ask(crowded)).toEqual(expected);
    // The same question to all of it is scored otherwise: the comparison can fail.
    const whole = await harness.search(crowded, { text: 'green ferry at noon in the harbour', explain: true });
    expect(whole.filter((hit) => hit.chunkId < 'c')).not.toEqual(expected);
  });

  it('words of an expansion count less than those of the query', async () => {
    const memory = newMemory();
    await harness.add(memory, chunk('a', 'the ferry'), chunk('b', 'the harbour'), chunk('c', 'a train'));
    const expansions = [{ text: 'harbour', weight: 0.5 }];
    const hits = await harness.search(memory, { text: 'ferry', expansions });
    expect(hits.map((hit) => hit.chunkId)).toEqual(['a', 'b']);
    expect(hits[1]!.score).toBeCloseTo(hits[0]!.score / 2);
  });

  it('filters apply before the limit', async () => {
    const memory = newMemory();
    await harness.add(
      memory,
      chunk('a', 'omega omega', { vaultId: 'v1', occurredAtMs: 100 }),
      chunk('b', 'omega', { vaultId: 'v2', occurredAtMs: -200 }),
      chunk('c', 'omega', { vaultId: 'v2', createdAtMs: 5 }),
    );
    expect(await harness.find(memory, 'omega', { vaultIds: ['v2'] })).toEqual(['b', 'c']);
    expect(
      (await harness.search(memory, { text: 'omega', limit: 1, filter: { vaultIds: ['v2'] } })).map(
        (hit) => hit.chunkId,
      ),
    ).toEqual(['b']);
    expect(await harness.find(memory, 'omega', { occurredAt: { ltMs: 0 } })).toEqual(['b']);
    expect(await harness.find(memory, 'omega', { not: { occurredAt: { ltMs: 0 } } })).toEqual(['a', 'c']);
    expect(await harness.find(memory, 'omega', { occurredAt: { gteMs: -200, ltMs: 100 } })).toEqual(['b']);
    expect(await harness.find(memory, 'omega', { docIds: new Set(['doc_c', 'doc_x']) })).toEqual(['c']);
    expect(
      await harness.find(memory, 'omega', {
        and: [{ vaultIds: ['v2'] }, { or: [{ docIds: new Set(['doc_a']) }, { createdAt: { ltMs: 10 } }] }],
      }),
    ).toEqual(['c']);
    expect(await harness.find(memory, 'omega', { vaultIds: [] })).toEqual([]);
  });

  it('an explanation contains contributions whose sum is exactly the score', async () => {
    const memory = newMemory();
    await harness.add(memory, chunk('a', 'red green blue'), chunk('b', 'red red'), chunk('c', 'blue sky'));
    const hits = await harness.search(memory, { text: 'red blue', explain: true });
    expect(hits).toHaveLength(3);
    for (const { score, explanation } of hits) {
      expect(explanation!.terms.reduce((sum, term) => sum + term.contribution, 0)).toBe(score);
      expect(explanation!.chunkCount).toBe(3);
    }
    expect(hits[0]!.explanation!.terms.map((term) => [term.said, term.df])).toEqual([
      ['red', 2],
      ['blue', 2],
    ]);
  });
}
