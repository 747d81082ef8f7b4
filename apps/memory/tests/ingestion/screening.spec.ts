import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { bootMemory, type BootedMemory } from '../memory-harness.ts';
import { makeDocx } from './make-files.ts';
import { eventsOf, found, takenIn, uploaded } from './take-in.ts';

let memory: BootedMemory;
beforeAll(async () => {
  memory = await bootMemory();
}, 60_000);
afterAll(() => memory.close());

// Put together here, so that no scanner takes this file for a leak.
const TOKEN = `gh${'p_'}pAvLQIO4G9J4wIiyFdYB9aiSXU7g7XEzFuRe`;
const CARD = '4111 1111 1111 1111';
const LETTER = `Ms Ada Brown, born on 3 March 1970, lives at 12 Baker Street, London. Call 020 7946 0958 or write to ada.brown@example.org; her card is ${CARD}. Deploy with ${TOKEN}. Again: ada.brown@example.org and bea@example.org.`;

describe('a policy', () => {
  it('`pii` masks contact data too, the same value always under the same number', async () => {
    const caller = memory.newCaller();
    caller.settings.dlp_policy = 'pii';
    const [document] = await takenIn(memory, caller, [{ content: LETTER, title: 'Letter of ada.brown@example.org' }]);
    expect(document.title).toBe('Letter of [[EMAIL_1]]');
    const [hit] = await found(memory, caller, 'lives');
    expect(hit!.text).toBe(
      'Ms Ada Brown, born on [[BIRTH_DATE_1]], lives at [[ADDRESS_1]]. Call [[PHONE_1]] or write to [[EMAIL_1]]; her card is [[CREDIT_CARD_1]]. Deploy with [[API_KEY_1]]. Again: [[EMAIL_1]] and [[EMAIL_2]].',
    );
    expect(document.masked).toContainEqual({ kind: 'email', count: 5 });
  });

  it('`secrets` leaves contact data alone, and `off` leaves all as it is', async () => {
    const caller = memory.newCaller();
    await takenIn(memory, caller, [{ content: LETTER }]);
    const [hit] = await found(memory, caller, 'lives');
    expect(hit!.text).toContain('ada.brown@example.org');
    expect(hit!.text).toContain('[[CREDIT_CARD_1]]. Deploy with [[API_KEY_1]]');
    const open = memory.newCaller();
    open.settings.dlp_policy = 'off';
    await takenIn(memory, open, [{ content: LETTER }]);
    expect((await found(memory, open, 'lives'))[0]!.text).toBe(LETTER);
  });

  it('counts from the next document on, also for a memory that was just used', async () => {
    const caller = memory.newCaller();
    caller.settings.dlp_policy = 'off';
    await takenIn(memory, caller, [{ content: 'Before: ada@example.org' }]);
    caller.settings.dlp_policy = 'pii';
    await takenIn(memory, caller, [{ content: 'After: bea@example.org' }]);
    const texts = (await found(memory, caller, 'before after')).map(({ text }) => text).sort();
    expect(texts).toEqual(['After: [[EMAIL_1]]', 'Before: ada@example.org']);
  });

  it('holds for files, metadata, names and what cannot be read', async () => {
    const caller = memory.newCaller();
    caller.settings.dlp_policy = 'pii';
    const docx = makeDocx([`Heading1: About ada@example.org`, `Write to ada@example.org or use ${TOKEN}.`]);
    const document = await uploaded(memory, caller, 'for-ada@example.org.docx', docx, {
      metadata: '{"owner": "bea@example.org", "tags": ["ada@example.org"]}',
    });
    expect(document).toMatchObject({
      title: 'About [[EMAIL_1]]',
      metadata: { owner: '[[EMAIL_2]]', tags: ['[[EMAIL_1]]'] },
    });
    const broken = await uploaded(memory, caller, 'for-ada@example.org.pdf', Buffer.from('%PDF-1.7 no'));
    expect(broken).toMatchObject({ status: 'failed', title: '[[EMAIL_1]]' });
    await expectNowhere(caller.memoryId, ['ada@example', 'bea@example', TOKEN]);
  });

  it('holds for the names of metadata, for numbers, and for what its name says is secret', async () => {
    const caller = memory.newCaller();
    const metadata = {
      'for ada@example.org': 'x',
      password: 'hunter2!more',
      card: 4_111_111_111_111_111,
      pages: 12,
      api_key: 'Zk39dLmQ02xPqR7sTuVw',
    };
    caller.settings.dlp_policy = 'pii';
    const [document] = await takenIn(memory, caller, [{ content: 'A letter.', metadata }]);
    expect(document.metadata).toEqual({
      'for [[EMAIL_1]]': 'x',
      password: '[[PASSWORD_1]]',
      card: '[[CREDIT_CARD_1]]',
      pages: 12,
      api_key: '[[API_KEY_1]]',
    });
    await expectNowhere(caller.memoryId, ['ada@example', 'hunter2', '4111111111111111', 'Zk39dLmQ02x']);
  });

  it('is told by an event with counts and no value', async () => {
    const caller = memory.newCaller();
    const [flagged, clean] = await takenIn(memory, caller, [
      { content: `Pay with ${CARD}.` },
      { content: 'Pay cash.' },
    ]);
    const events = await eventually(
      async () =>
        // Of a memory that has settled, whenever that is.
        (await eventsOf(memory, caller)).filter((event) => event.payload.case !== 'healthAssessed'),
      (published) => published.length === 4,
    );
    expect(events.map((event) => event.payload.case).sort()).toEqual([
      'dlpFlagged',
      'documentsQueued',
      'ingestCompleted',
      'ingestCompleted',
    ]);
    expect(events.find((event) => event.payload.case === 'dlpFlagged')).toMatchObject({
      memoryId: caller.memoryId,
      payload: {
        value: { docId: flagged.doc_id, vaultId: caller.vaultId, findings: [{ kind: 'credit_card', count: 2 }] },
      },
    });
    expect(JSON.stringify(events, withoutBigInts)).not.toContain('4111');
    expect(clean.masked).toEqual([]);
  });
});

describe('while a document waits', () => {
  it('what is in the queue is encrypted', async () => {
    const caller = memory.newCaller();
    let sent = 0;
    // Until one is seen before it was worked off.
    const rows = await eventually(
      async () => {
        const documents = Array.from({ length: 50 }, (_, at) => ({ content: `Pay ${sent + at} with ${CARD}.` }));
        sent += documents.length;
        const answer = await memory.call(caller, 'POST', '/api/v1/memory/documents', { documents });
        expect(answer.status).toBe(202);
        return memory.database.worker.transaction((tx) =>
          tx.query<{ payload: Buffer; content: string | null }>(
            'SELECT payload, content FROM ingest_queue WHERE memory_id = $1 AND payload IS NOT NULL',
            [caller.memoryId],
          ),
        );
      },
      (waiting) => waiting.length > 0,
    );
    for (const { payload, content } of rows) {
      expect(content).toBeNull();
      expect(payload.includes('4111')).toBe(false);
    }
  });
});

const withoutBigInts = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** Looks through every row of every table. */
async function expectNowhere(memoryId: string, words: readonly string[]): Promise<void> {
  const tables = [
    'documents',
    'chunks',
    'ingest_queue',
    'outbox',
    'published_events',
    'idempotency_keys',
    'index_segments',
    'index_pages',
    'graph_names',
    'graph_facts',
    'graph_chunks',
  ];
  let text = '';
  for (const table of tables) {
    const rows = await memory.database.worker.transaction((tx) =>
      tx.query<{ row: string }>(`SELECT ${table}::text AS row FROM ${table} WHERE ${table}::text LIKE $1`, [
        `%${memoryId}%`,
      ]),
    );
    text += rows.map(({ row }) => row).join('\n');
  }
  expect(text.includes(memoryId)).toBe(true);
  const spellings = words.flatMap((word) => [word, Buffer.from(word).toString('hex')]);
  expect(spellings.filter((spelling) => text.includes(spelling))).toEqual([]);
}
