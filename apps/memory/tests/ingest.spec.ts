import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { bootMemory, type BootedMemory } from './memory-harness.ts';

let memory: BootedMemory;
beforeAll(async () => {
  memory = await bootMemory();
});
afterAll(() => memory.close());

describe('taking documents in', () => {
  it('answers 202 with a queued document, which becomes searchable', async () => {
    const caller = memory.newCaller();
    const accepted = await memory.call(caller, 'POST', '/api/v1/memory/documents', {
      content: 'The boiler room is on floor minus two.',
    });
    expect(accepted.status).toBe(202);
    expect(accepted.body.documents).toEqual([
      { doc_id: expect.stringMatching(/^doc_/), status: 'queued', vault_id: caller.vaultId },
    ]);
    // The same content is the same document.
    await memory.ingest(caller, [{ content: 'The boiler room is on floor minus two.' }]);
    const found = await memory.call(caller, 'POST', '/api/v1/memory/search', { query: 'Where is the boiler room?' });
    expect(found.body.results[0].doc_id).toBe(accepted.body.documents[0].doc_id);
  });

  it('takes the same content twice for one document', async () => {
    const caller = memory.newCaller();
    const [first] = await memory.ingest(caller, [{ content: 'Said once.' }]);
    const again = await memory.call(caller, 'POST', '/api/v1/memory/documents', {
      content: 'Said once.',
      title: 'Another title',
    });
    expect(again.body.documents[0]).toMatchObject({ doc_id: first, status: 'completed' });
  });

  it('takes a hundred documents for what each of them is: new, there already, a new version, twice the same, unreadable', async () => {
    const caller = memory.newCaller();
    const send = async (documents: Record<string, unknown>[]) => {
      const answer = await memory.call(caller, 'POST', '/api/v1/memory/documents', { documents });
      expect(answer.status).toBe(202);
      return (answer.body.documents as { doc_id: string }[]).map(({ doc_id }) => doc_id);
    };
    const [there, versioned] = await send([{ content: 'Was there.' }, { content: 'Version 1.', external_id: 'v' }]);
    const fresh = Array.from({ length: 95 }, (_, at) => ({ content: `Page ${at} of the handbook.` }));
    const ids = await send([
      { content: 'Version 2.', external_id: 'v' },
      ...fresh,
      { content: 'Was there.' },
      { content: '   ' },
      { content: 'Twice.' },
      { content: 'Twice.' },
    ]);
    expect([ids[0], ids[96]]).toEqual([versioned, there]);
    expect(ids[99]).toBe(ids[98]);
    expect(new Set(ids).size).toBe(99);
    const statuses = await eventually(
      async () => {
        const { body } = await memory.call(caller, 'GET', '/api/v1/memory/documents?limit=200');
        return new Map(
          (body.documents as { doc_id: string; status: string }[]).map((each) => [each.doc_id, each.status]),
        );
      },
      (known) => [...known.values()].every((status) => status === 'completed' || status === 'failed'),
      60_000,
    );
    expect(statuses.size).toBe(99);
    expect([...statuses].filter(([, status]) => status === 'failed').map(([docId]) => docId)).toEqual([ids[97]]);
  });

  it('makes one document of one content that eight callers send at once', async () => {
    const caller = memory.newCaller();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        memory.call(caller, 'POST', '/api/v1/memory/documents', { content: 'Sent by all.' }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(202));
    expect(new Set(answers.map((answer) => answer.body.documents[0].doc_id)).size).toBe(1);
  });

  it('replaces the earlier version of an external id and keeps the chunks that did not change', async () => {
    const caller = memory.newCaller();
    const kept = 'The kept paragraph speaks of walruses.\n\n'.repeat(1) + 'word '.repeat(200);
    const [id] = await memory.ingest(caller, [{ external_id: 'page', content: `${kept}\n\nOld ending about herons.` }]);
    const before = await chunkIdsOf(caller, 'walruses');
    const [again] = await memory.ingest(caller, [
      { external_id: 'page', content: `${kept}\n\nNew ending about storks.` },
    ]);
    expect(again).toBe(id);
    expect(await chunkIdsOf(caller, 'walruses')).toEqual(before);
    expect(await chunkIdsOf(caller, 'herons')).toEqual([]);
    expect(await chunkIdsOf(caller, 'storks')).toHaveLength(1);
  });

  it('finds an unchanged text under its new time when only the time was replaced', async () => {
    const caller = memory.newCaller();
    const send = (occurred_at: string) =>
      memory.ingest(caller, [{ external_id: 'dated', content: 'The comet was seen.', occurred_at }]);
    await send('2020-01-01T00:00:00Z');
    await send('2024-01-01T00:00:00Z');
    const since = (value: string) => ({ query: 'comet', filters: { field: 'occurred_at', op: 'gte', value } });
    const found = await memory.call(caller, 'POST', '/api/v1/memory/search', since('2023-01-01T00:00:00Z'));
    expect(found.body.results).toHaveLength(1);
    expect(found.body.results[0].occurred_at).toBe('2024-01-01T00:00:00.000Z');
  });

  it('ends with the last version when one external id is replaced many times at once', async () => {
    const caller = memory.newCaller();
    const send = (number: number) =>
      memory.call(caller, 'POST', '/api/v1/memory/documents', {
        external_id: 'busy',
        content: `Version number${number} of the page.`,
      });
    await Promise.all(Array.from({ length: 10 }, (_, number) => send(number)));
    await memory.ingest(caller, [{ external_id: 'busy', content: 'Version final of the page.' }]);
    const found = await memory.call(caller, 'POST', '/api/v1/memory/search', { query: 'version page', top_k: 50 });
    expect(found.body.results.map((result: { text: string }) => result.text)).toEqual(['Version final of the page.']);
  });

  it('deletes a document with its chunks and index entries, also while it is being indexed', async () => {
    const caller = memory.newCaller();
    const [id] = await memory.ingest(caller, [{ content: 'A secret about okapis.' }]);
    const waiting = await memory.call(caller, 'POST', '/api/v1/memory/documents', {
      content: 'A second one about okapis.',
    });
    for (const docId of [id, waiting.body.documents[0].doc_id]) {
      const gone = await memory.call(caller, 'DELETE', `/api/v1/memory/documents/${docId}`);
      expect(gone.body).toEqual({ doc_id: docId, deleted: true });
      expect((await memory.call(caller, 'GET', `/api/v1/memory/documents/${docId}`)).status).toBe(404);
    }
    await memory.ingest(caller, [{ content: 'Unrelated.' }]);
    expect(await chunkIdsOf(caller, 'okapis')).toEqual([]);
    const rows = await memory.database.worker.transaction((tx) =>
      tx.query('SELECT 1 FROM chunks WHERE memory_id = $1 AND body LIKE $2', [caller.memoryId, '%okapis%']),
    );
    expect(rows).toEqual([]);
  });

  it('honours Idempotency-Key: the same request is answered again, another is refused', async () => {
    const caller = memory.newCaller();
    const key = { 'idempotency-key': newId('event') };
    const first = await memory.call(caller, 'POST', '/api/v1/memory/documents', { content: 'Once only.' }, key);
    const again = await memory.call(caller, 'POST', '/api/v1/memory/documents', { content: 'Once only.' }, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await memory.call(caller, 'POST', '/api/v1/memory/documents', { content: 'Something else.' }, key);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch']);
  });

  async function chunkIdsOf(caller: ReturnType<BootedMemory['newCaller']>, word: string): Promise<string[]> {
    const found = await memory.call(caller, 'POST', '/api/v1/memory/search', { query: word });
    return found.body.results.map((result: { chunk_id: string }) => result.chunk_id);
  }
});

describe('listing and paging', () => {
  it('lists everything without limit, and pages without gaps or repeats with it', async () => {
    const caller = memory.newCaller();
    const ids = await memory.ingest(
      caller,
      Array.from({ length: 7 }, (_, number) => ({ content: `Page ${number}` })),
    );
    const all = await memory.call(caller, 'GET', '/api/v1/memory/documents');
    expect(all.body.documents).toHaveLength(7);
    expect(all.body.next_cursor).toBeUndefined();
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await memory.call(caller, 'GET', `/api/v1/memory/documents?limit=3${cursor}`);
      seen.push(...page.body.documents.map((document: { doc_id: string }) => document.doc_id));
      cursor = page.body.next_cursor === undefined ? '' : `&cursor=${page.body.next_cursor}`;
    } while (cursor !== '');
    expect(seen.sort()).toEqual([...ids].sort());
  });
});

describe('a full queue', () => {
  it('refuses with 429 and Retry-After and stores nothing', async () => {
    const small = await bootMemory({ CAIRN_INGEST_QUEUE_MAX: '100' });
    try {
      const caller = small.newCaller();
      const batch = (start: number) => ({
        documents: Array.from({ length: 60 }, (_, number) => ({
          content: `Filler ${start + number} ${'x'.repeat(2_000)}`,
        })),
      });
      const answers = await Promise.all(
        [0, 100, 200, 300].map((start) => small.call(caller, 'POST', '/api/v1/memory/documents', batch(start))),
      );
      const refused = answers.filter((answer) => answer.status === 429);
      for (const answer of refused) {
        expect(answer.body.code).toBe('queue_full');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      const rows = await small.database.worker.transaction((tx) =>
        tx.query<{ n: number }>('SELECT count(*) AS n FROM documents'),
      );
      expect(rows[0]!.n).toBe(60 * answers.filter((answer) => answer.status === 202).length);
    } finally {
      await small.close();
    }
  });
});
