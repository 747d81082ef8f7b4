import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sweepSearches } from '../src/search/log/search-log-store.ts';
import { type BootedMemory, bootMemory, type Caller } from './memory-harness.ts';

let memory: BootedMemory;
let caller: Caller;
beforeAll(async () => {
  memory = await bootMemory();
  caller = memory.newCaller();
  await memory.ingest(caller, [
    {
      content:
        '# Travel policy\n\nHotels may cost up to 140 euros a night. Trains are preferred to flights below six hours.\n\n## Approval\n\nJourneys abroad are approved by the head of department.',
      metadata: { team: 'finance', year: 2025 },
      occurred_at: '2025-03-01T00:00:00Z',
    },
    {
      content: '# On-call\n\nThe primary engineer answers within 15 minutes. ERR-4711 pages the primary at once.',
      metadata: { team: 'platform', tags: ['ops', 'night'] },
    },
    { content: 'The canteen serves soup on Thursdays.', occurred_at: '2026-01-15T12:00:00Z' },
  ]);
});
afterAll(() => memory.close());

const search = (body: Record<string, unknown>, who: Caller = caller) =>
  memory.call(who, 'POST', '/api/v1/memory/search', body);
const titles = (answer: { body: { results: { title: string }[] } }) =>
  answer.body.results.map((result) => result.title);

describe('a search', () => {
  it('answers with sentences of the sources, each cited, every citation used', async () => {
    const { status, body } = await search({ query: 'How much may a hotel cost a night?' });
    expect(status).toBe(200);
    expect(body.answer).toContain('Hotels may cost up to 140 euros a night.');
    expect(body.generated).toBe(false);
    expect(body.citations.length).toBeGreaterThan(0);
    body.citations.forEach((citation: { citation_id: string; snippet: string }, index: number) => {
      expect(citation.citation_id).toBe(String(index + 1));
      expect(body.answer).toContain(`[${citation.citation_id}]`);
    });
    expect(body.results[0]).toMatchObject({
      title: 'Travel policy',
      vault_id: caller.vaultId,
      occurred_at: '2025-03-01T00:00:00.000Z',
      location: { char_start: expect.any(Number), char_end: expect.any(Number) },
    });
  });

  it('says that nothing answers when nothing does, and cites nothing', async () => {
    const { body } = await search({ query: 'Which volcano erupted in Iceland?' });
    expect(body).toMatchObject({ answer: 'Nothing in this memory answers that.', citations: [] });
  });

  it('answers an empty memory with no citations', async () => {
    const { status, body } = await search({ query: 'anything' }, memory.newCaller());
    expect(status).toBe(200);
    expect(body).toMatchObject({ citations: [], results: [] });
  });

  it('finds an identifier whole', async () => {
    expect(titles(await search({ query: 'ERR-4711' }))[0]).toBe('On-call');
  });

  it('explains scores when asked', async () => {
    const { body } = await search({ query: 'hotel', explain: true });
    expect(body.results[0].explanation.words).toEqual([
      {
        word: 'hotel',
        passages_with_word: 1,
        rarity: expect.any(Number),
        frequency: expect.any(Number),
        contribution: expect.any(Number),
      },
    ]);
    expect((await search({ query: 'hotel' })).body.results[0].explanation).toBeUndefined();
  });

  it('explains scores by the words as they were asked, and by signals that add up to the score', async () => {
    const { body } = await search({ query: 'Which hotels and engineers are primary?', explain: true });
    expect(body.results.length).toBeGreaterThan(1);
    for (const { score, explanation } of body.results) {
      const sum = (shares: number[]) => shares.reduce((total, share) => total + share, 0);
      expect(sum(Object.values(explanation.signals))).toBeCloseTo(score, 9);
      expect(sum(explanation.words.map(({ contribution }: { contribution: number }) => contribution))).toBeCloseTo(
        explanation.signals.words,
        9,
      );
      for (const { word } of explanation.words) expect(['hotels', 'engineers', 'primary']).toContain(word);
    }
  });

  it('honours top_k', async () => {
    expect((await search({ query: 'the primary engineer hotels canteen', top_k: 1 })).body.results).toHaveLength(1);
  });
});

describe('a question of two steps', () => {
  it('is answered from a document that only the first step names, and shows it among the results', async () => {
    const who = memory.newCaller();
    // More than the first search looks at, each with more of the question's words than the document that is meant.
    const teams = Array.from({ length: 60 }, (_, n) => ({
      title: `Notes ${n}`,
      content: `In what state the team ${n} is based, and whom it did play, nobody wrote down in year ${n}.`,
    }));
    const documents = [
      { title: 'Dick Humbert', content: 'Dick Humbert was an end. He was hired to play for the Philadelphia Eagles.' },
      { title: 'Philadelphia Eagles', content: 'The club began in 1933. Its ground is based in Pennsylvania.' },
      ...teams,
    ];
    await memory.ingest(
      who,
      documents.map((document) => ({ ...document, metadata: { kind: 'note' } })),
    );
    const query = 'In what state is the team based that Dick Humbert did play for?';
    // With a filter, the graph adds nothing.
    const filters = { field: 'metadata.kind', op: 'eq', value: 'note' };
    const { body } = await search({ query, top_k: 5, explain: true, filters }, who);
    expect(body.answer).toContain('Its ground is based in Pennsylvania.');
    const cited = body.citations.find(({ title }: { title: string }) => title === 'Philadelphia Eagles');
    expect(body.results).toHaveLength(5);
    expect(body.results.at(-1)).toMatchObject({
      chunk_id: cited.chunk_id,
      explanation: { signals: { similarity_to_best: 0 } },
    });
    const scores: number[] = body.results.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});

const manyConditions = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ field: `metadata.k${n}`, op: 'eq', value: n }));

describe('filters', () => {
  const query = 'engineer hotels canteen soup trains';
  const cases: [string, unknown, string[]][] = [
    ['metadata eq', { field: 'metadata.team', op: 'eq', value: 'finance' }, ['Travel policy']],
    ['metadata eq matches an element of a list', { field: 'metadata.tags', op: 'eq', value: 'night' }, ['On-call']],
    ['metadata in', { field: 'metadata.team', op: 'in', value: ['platform', 'none'] }, ['On-call']],
    ['metadata gte on numbers', { field: 'metadata.year', op: 'gte', value: 2025 }, ['Travel policy']],
    [
      'metadata exists',
      { field: 'metadata.team', op: 'exists', value: false },
      ['The canteen serves soup on Thursdays.'],
    ],
    [
      'occurred_at gte',
      { field: 'occurred_at', op: 'gte', value: '2026-01-01T00:00:00Z' },
      ['The canteen serves soup on Thursdays.'],
    ],
    [
      'and, or, not',
      {
        and: [
          { not: { field: 'metadata.team', op: 'eq', value: 'platform' } },
          { or: [{ field: 'metadata.year', op: 'lt', value: 2030 }] },
        ],
      },
      ['Travel policy'],
    ],
  ];
  it.each(cases)('%s', async (_name, filters, expected) => {
    const answer = await search({ query, filters });
    expect(answer.status).toBe(200);
    expect([...new Set(titles(answer))]).toEqual(expected);
  });

  it('refuses an unknown field, operator or shape with 422 that names it', async () => {
    for (const filters of [
      { field: 'owner', op: 'eq', value: 1 },
      { field: 'metadata.team', op: 'like', value: 'x' },
      { field: 'occurred_at', op: 'gte', value: 'yesterday' },
      { field: 'occurred_at', op: 'lte', value: '+275760-09-13T00:00:00.000Z' },
      { xor: [] },
      { or: [{ and: manyConditions(50) }, { and: manyConditions(50) }, ...manyConditions(1)] },
    ]) {
      const { status, body } = await search({ query, filters });
      expect([status, body.code]).toEqual([422, 'validation_failed']);
      expect(body.errors[0].path).toMatch(/^filters/);
    }
  });
});

describe('isolation', () => {
  it('shows nothing of another tenant, on any operation', async () => {
    const foreign = memory.newCaller();
    const list = await memory.call(caller, 'GET', '/api/v1/memory/documents');
    const docId = list.body.documents[0].doc_id;
    expect((await search({ query: 'hotels' }, foreign)).body.results).toEqual([]);
    expect((await search({ query: 'hotels', memory_id: caller.memoryId }, foreign)).status).toBe(404);
    expect((await memory.call(foreign, 'GET', `/api/v1/memory/documents/${docId}`)).status).toBe(404);
    expect((await memory.call(foreign, 'GET', `/api/v1/memory/documents?memory_id=${caller.memoryId}`)).status).toBe(
      404,
    );
    expect((await memory.call(foreign, 'DELETE', `/api/v1/memory/documents/${docId}`)).status).toBe(404);
    expect(
      (await memory.call(foreign, 'POST', '/api/v1/memory/documents', { content: 'x', memory_id: caller.memoryId }))
        .status,
    ).toBe(404);
    expect((await memory.call(foreign, 'GET', '/api/v1/memory/documents')).body.documents).toEqual([]);
  });

  it('holds with the SQL filter taken out: row-level security shows another tenant nothing', async () => {
    const tables = [
      'documents',
      'ingest_queue',
      'chunks',
      'index_memories',
      'index_segments',
      'index_pages',
      'index_tombstones',
      'outbox',
      'published_events',
    ];
    const foreign = memory.newCaller();
    for (const table of tables) {
      const seen = await memory.database.app.withTenant(foreign.identity.tenantId, (tx) =>
        tx.query(`SELECT * FROM ${table}`),
      );
      expect([table, seen]).toEqual([table, []]);
    }
    const own = await memory.database.app.withTenant(caller.identity.tenantId, (tx) =>
      tx.query('SELECT * FROM chunks'),
    );
    expect(own.length).toBeGreaterThan(0);
  });

  it('refuses a memory key for every memory but its own', async () => {
    const bound = { ...caller, identity: { ...caller.identity, kind: 'memory' as const, memoryId: caller.memoryId } };
    expect((await search({ query: 'hotels' }, bound)).body.results.length).toBeGreaterThan(0);
    const other = memory.newCaller({ tenantId: caller.identity.tenantId });
    const refused = await search({ query: 'hotels', memory_id: other.memoryId }, bound);
    expect([refused.status, refused.body.code]).toEqual([403, 'memory_not_permitted']);
  });

  it('answers 401 without an identity and with a forged one, and 503 with one that came too late', async () => {
    expect((await memory.call(null, 'GET', '/api/v1/memory/documents')).body.code).toBe('identity_invalid');
    const forged = await memory.call(null, 'GET', '/api/v1/memory/documents', undefined, {
      'x-cairn-identity': 'eyJhbGciOiJub25lIn0.e30.',
    });
    expect(forged.status).toBe(401);
    const late = { ...caller, identity: { ...caller.identity, admitUntilMs: Date.now() - 1 } };
    expect((await memory.call(late, 'GET', '/api/v1/memory/documents')).status).toBe(503);
  });
});

describe('searches of a memory', () => {
  const settingsOf = (who: Caller) => `/api/v1/memories/${who.memoryId}/search-log`;
  const SEARCHES = '/api/v1/memory/searches';
  const turnOn = async (who: Caller, change: object = {}) =>
    expect((await memory.call(who, 'PATCH', settingsOf(who), { enabled: true, ...change })).status).toBe(200);
  const listed = async (who: Caller, query = '') => (await memory.call(who, 'GET', `${SEARCHES}${query}`)).body;
  const rowsOf = (who: Caller) =>
    memory.database.app.withTenant(who.identity.tenantId, (tx) => tx.query('SELECT * FROM search_log'));
  const kept = async (who: Caller, query: string, space_id?: string): Promise<string> => {
    const { search_id } = (await search({ query, space_id }, who)).body;
    expect((await memory.call(who, 'GET', `${SEARCHES}/${search_id}`)).status).toBe(200);
    return search_id;
  };
  const spaceKey = (who: Caller, spaceId: string): Caller => ({
    ...who,
    identity: { ...who.identity, kind: 'memory', memoryId: who.memoryId, spaceId },
  });

  it('are not kept unless that was turned on, and no longer once it is turned off', async () => {
    const who = memory.newCaller();
    expect((await memory.call(who, 'GET', settingsOf(who))).body).toEqual({
      memory_id: who.memoryId,
      enabled: false,
      keep_days: 30,
    });
    const { search_id } = (await search({ query: 'Before it was on?' }, who)).body;
    expect((await memory.call(who, 'GET', `${SEARCHES}/${search_id}`)).status).toBe(404);
    expect(await rowsOf(who)).toEqual([]);
    await turnOn(who);
    await kept(who, 'While it was on?');
    await memory.call(who, 'PATCH', settingsOf(who), { enabled: false });
    const after = (await search({ query: 'After it was off?' }, who)).body.search_id;
    expect((await memory.call(who, 'GET', `${SEARCHES}/${after}`)).status).toBe(404);
    expect((await listed(who)).searches.map((each: { question: string }) => each.question)).toEqual([
      'While it was on?',
    ]);
  });

  it('are kept with what the answer cited, by the search_id of the answer', async () => {
    await turnOn(caller);
    const { body } = await search({ query: 'How much may a hotel cost a night?' });
    const found = await memory.call(caller, 'GET', `${SEARCHES}/${body.search_id}`);
    expect(found.body).toEqual({
      search_id: body.search_id,
      memory_id: caller.memoryId,
      space_id: null,
      asked_at: expect.stringMatching(/^\d{4}-.*Z$/),
      question: 'How much may a hotel cost a night?',
      answered: true,
      generated: false,
      confidence: expect.closeTo(body.confidence, 5),
      citations: body.citations.map(({ doc_id, chunk_id }: Record<string, string>) => ({ doc_id, chunk_id })),
      took_ms: expect.any(Number),
      credential_id: caller.identity.keyId,
      feedback: null,
    });
  });

  it('are listed newest first, page by page, by answer, rating and time', async () => {
    const who = memory.newCaller();
    await memory.ingest(who, [{ content: 'The ferry sails at noon.' }]);
    await turnOn(who);
    const ids = [
      await kept(who, 'When does the ferry sail?'),
      await kept(who, 'Which volcano erupted?'),
      await kept(who, 'Which glacier melted?'),
    ];
    const rate = (id: string, helpful: boolean) => memory.call(who, 'POST', `${SEARCHES}/${id}/feedback`, { helpful });
    expect((await rate(ids[0]!, true)).status).toBe(200);
    expect((await rate(ids[1]!, false)).status).toBe(200);
    const idsOf = async (query: string) =>
      (await listed(who, query)).searches.map((each: { search_id: string }) => each.search_id);
    expect(await idsOf('')).toEqual(ids.toReversed());
    expect(await idsOf('?unanswered=true')).toEqual([ids[2], ids[1]]);
    expect(await idsOf('?unanswered=false')).toEqual([ids[0]]);
    expect(await idsOf('?thumbs=up')).toEqual([ids[0]]);
    expect(await idsOf('?thumbs=down')).toEqual([ids[1]]);
    expect(await idsOf('?thumbs=none')).toEqual([ids[2]]);
    expect(await idsOf('?since=2100-01-01T00:00:00Z')).toEqual([]);
    expect(await idsOf('?until=2100-01-01T00:00:00Z')).toHaveLength(3);
    const first = await listed(who, '?limit=2');
    expect(first.next_cursor).toBe(ids[1]);
    expect(await listed(who, `?limit=2&cursor=${first.next_cursor}`)).toMatchObject({
      searches: [{ search_id: ids[0] }],
    });
    expect((await memory.call(who, 'GET', `${SEARCHES}?cursor=nonsense`)).status).toBe(422);
  });

  it('take feedback whose last word counts, masked like the question', async () => {
    const who = memory.newCaller();
    who.settings.dlp_policy = 'pii';
    await turnOn(who);
    const id = await kept(who, 'Who is ada.lovelace@example.org?');
    expect((await memory.call(who, 'GET', `${SEARCHES}/${id}`)).body.question).not.toContain('ada.lovelace');
    const path = `${SEARCHES}/${id}/feedback`;
    const comment = 'Write to ada.lovelace@example.org instead.';
    const rated = await memory.call(who, 'POST', path, { helpful: false, comment });
    expect(rated.body.feedback).toMatchObject({ helpful: false });
    expect(rated.body.feedback.comment).toMatch(/^Write to (?!ada).* instead\.$/);
    await memory.call(who, 'POST', path, { helpful: true });
    expect((await memory.call(who, 'GET', `${SEARCHES}/${id}`)).body.feedback).toMatchObject({
      helpful: true,
      comment: null,
    });
    expect(JSON.stringify(await rowsOf(who))).not.toContain('lovelace');
    expect((await memory.call(who, 'POST', path, { helpful: true, comment: 'x'.repeat(1_001) })).status).toBe(422);
    expect((await memory.call(memory.newCaller(), 'POST', path, { helpful: true })).status).toBe(404);
  });

  it('of one space are all that a key of it sees or rates, and it changes no setting', async () => {
    const who = memory.newCaller();
    const [mine, other] = [memory.newSpace(who), memory.newSpace(who)];
    await turnOn(who);
    const seen = await kept(who, 'In the space?', mine.spaceId);
    const hidden = [await kept(who, 'In the other?', other.spaceId), await kept(who, 'In the whole memory?')];
    const key = spaceKey(who, mine.spaceId);
    expect((await listed(key)).searches).toMatchObject([{ search_id: seen, space_id: mine.spaceId }]);
    for (const id of hidden) {
      expect((await memory.call(key, 'GET', `${SEARCHES}/${id}`)).status).toBe(404);
      expect((await memory.call(key, 'POST', `${SEARCHES}/${id}/feedback`, { helpful: true })).status).toBe(404);
    }
    expect((await memory.call(key, 'PATCH', settingsOf(key), { enabled: false })).status).toBe(403);
    expect((await listed(who)).searches).toHaveLength(3);
  });

  it('are shown and kept no longer than their days', async () => {
    const who = memory.newCaller();
    await turnOn(who, { keep_days: 2 });
    const [old, recent] = [await kept(who, 'Long ago?'), await kept(who, 'Just now?')];
    await memory.database.app.withTenant(who.identity.tenantId, (tx) =>
      tx.execute("UPDATE search_log SET asked_at = now() - interval '49 hours' WHERE search_id = $1", [old]),
    );
    expect((await listed(who)).searches).toMatchObject([{ search_id: recent }]);
    expect((await memory.call(who, 'GET', `${SEARCHES}/${old}`)).status).toBe(404);
    expect(await memory.database.worker.transaction(sweepSearches)).toBe(false);
    expect(await rowsOf(who)).toMatchObject([{ search_id: recent }]);
  });
});
