import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { SharedCairn } from '@cairn/testing';
import { ingest } from '../tests/api.ts';
import { type Call, contract, expectFields, expectRefusal, proves } from './contract.ts';
import { eventsOf } from './event-stream.ts';

const PEOPLE = [
  'Ines Carvalhal',
  'Bruno Linde',
  'Otto Quell',
  'Vera Zander',
  'Hugo Marten',
  'Clara Voss',
  'Emil Thorne',
  'Nadia Ferrow',
  'Paul Weskit',
];

let cairn: SharedCairn;
let call: Call;
let memory_id: string;
let first: { entity_id: string; name: string };
beforeAll(async () => {
  ({ cairn, call } = await contract());
  ({ memory_id } = (await call('POST', '/memories', { display_name: 'People' })).body);
  const documents = [
    ...PEOPLE.slice(1).map((person, n) => ({ content: `${PEOPLE[n]} met ${person}.`, title: `Meeting ${n}` })),
    { content: 'Ines Carvalhal works for Northwind Bakery.', title: 'Work' },
  ];
  await ingest(cairn.baseUrl, cairn.apiKey, documents, { memory_id });
  await ingest(cairn.baseUrl, cairn.apiKey, BOILERS);
  first = (await call('GET', `/memory/graph/entities?query=carvalhal&memory_id=${memory_id}`)).body.entities[0];
}, 180_000);
afterAll(() => cairn.remove());

const BOILERS = [
  {
    title: 'Boiler',
    content: '# Boiler\n\nThe boiler is serviced every October. The service takes two days.',
    metadata: { site: 'north', floors: 2, tags: ['heat', 'water'] },
    occurred_at: '2024-03-01T00:00:00Z',
  },
  {
    title: 'Garden',
    content: '# Garden\n\nThe boiler house stands in the garden. It was built in 1931.',
    metadata: { site: 'south', floors: 1 },
    occurred_at: '2022-03-01T00:00:00Z',
  },
];
const QUESTION = 'When is the boiler serviced?';
const search = (body: object) => call('POST', '/memory/search', body);
const titlesOf = async (filters: object) =>
  (await search({ query: 'boiler', filters })).body.results.map(({ title }: { title: string }) => title).toSorted();

describe('POST /api/v1/memory/search', () => {
  proves(
    ['POST /memory/search', 'D5.answer', 'D5.citation', 'D5.request'],
    'answers with the fields that were decided; each citation is used and each claim has one',
    async () => {
      expectRefusal(await search({}), 422, 'validation_failed', 'query');
      const { status, body } = await search({ query: QUESTION });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        search_id: expect.any(String),
        answer: expect.stringContaining('October'),
        generated: false,
        suggested_followups: expect.any(Array),
        entities: expect.any(Array),
        timing_ms: expect.any(Object),
      });
      const numbers = [...body.answer.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]));
      expect(new Set(numbers)).toEqual(new Set(body.citations.map((_: unknown, n: number) => n + 1)));
      for (const citation of body.citations) {
        expect(citation).toMatchObject({
          citation_id: expect.any(String),
          doc_id: expect.stringMatching(/^doc_/),
          chunk_id: expect.stringMatching(/^chk_/),
          title: expect.any(String),
          snippet: expect.stringMatching(/\w/),
          source_uri: null,
          score: expect.any(Number),
        });
      }
      expect(body.citations[0].snippet).toContain('serviced every October');
      for (const result of body.results)
        expect(result).toMatchObject({
          chunk_id: expect.stringMatching(/^chk_/),
          doc_id: expect.stringMatching(/^doc_/),
          title: expect.any(String),
          text: expect.any(String),
          score: expect.any(Number),
          vault_id: expect.stringMatching(/^vlt_/),
          source_uri: null,
          occurred_at: expect.any(String),
          location: expect.any(Object),
        });
      const scores = body.results.map(({ score }: { score: number }) => score);
      expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    },
  );

  proves(
    ['D5.request', 'D1.validation_failed'],
    'top_k is 1 to 100 and cuts the results off; explain says what made each score',
    async () => {
      expect((await search({ query: 'boiler' })).body.results).toHaveLength(2);
      const { body } = await search({ query: 'boiler', top_k: 1, explain: true });
      expect(body.results).toHaveLength(1);
      const { signals } = body.results[0].explanation;
      const sum = Object.values(signals as Record<string, number>).reduce((total, part) => total + part, 0);
      expect(sum).toBeCloseTo(body.results[0].score, 3);
      for (const top_k of [0, 101, 1.5])
        expectRefusal(await search({ query: 'x', top_k }), 422, 'validation_failed', 'top_k');
    },
  );

  proves(
    ['D5.filters'],
    'every operator over every field selects what it says; an unknown field or operator is refused',
    async () => {
      const leaf = (field: string, op: string, value: unknown) => ({ field, op, value });
      const doc = (await search({ query: 'boiler' })).body.results.find(
        ({ title }: { title: string }) => title === 'Garden',
      );
      const [north, south, both] = [['Boiler'], ['Garden'], ['Boiler', 'Garden']];
      const cases: [object, string[]][] = [
        [leaf('metadata.site', 'eq', 'north'), north],
        [leaf('metadata.site', 'ne', 'north'), south],
        [leaf('metadata.site', 'in', ['north', 'south']), both],
        [leaf('metadata.tags', 'eq', 'heat'), north],
        [leaf('metadata.floors', 'gt', 1), north],
        [leaf('metadata.floors', 'gte', 1), both],
        [leaf('metadata.floors', 'lt', 2), south],
        [leaf('metadata.floors', 'lte', 2), both],
        [leaf('metadata.tags', 'exists', true), north],
        [leaf('occurred_at', 'gte', '2023-01-01T00:00:00Z'), north],
        [leaf('created_at', 'gt', '2020-01-01T00:00:00Z'), both],
        [leaf('doc_id', 'eq', doc.doc_id), south],
        [leaf('vault_id', 'eq', doc.vault_id), both],
        [{ and: [leaf('metadata.site', 'eq', 'north'), leaf('metadata.floors', 'eq', 1)] }, []],
        [{ or: [leaf('metadata.site', 'eq', 'north'), leaf('metadata.floors', 'eq', 1)] }, both],
        [{ not: leaf('metadata.site', 'eq', 'north') }, south],
      ];
      for (const [filters, titles] of cases) expect([filters, await titlesOf(filters)]).toEqual([filters, titles]);
      for (const filters of [leaf('colour', 'eq', 'red'), leaf('metadata.site', 'like', 'n')])
        expectRefusal(await search({ query: 'boiler', filters }), 422, 'validation_failed');
    },
  );

  proves(['D5.empty'], 'an empty memory answers with empty citations and says so', async () => {
    const empty = (await call('POST', '/memories', { display_name: 'Empty' })).body.memory_id;
    const { status, body } = await search({ query: QUESTION, memory_id: empty });
    expect([status, body.citations, body.results]).toEqual([200, [], []]);
    expect(body.answer).toMatch(/nothing|empty|no /i);
  });

  proves(['D5.languages'], 'a Chinese question is answered from the passage that answers it', () =>
    answersIn('青松图书馆由建筑师林远于一九三一年设计。馆内藏有三万册图书。', '青松图书馆是谁设计的？', '林远'),
  );

  proves(['D5.languages'], 'a Japanese question is answered from the passage that answers it', () =>
    answersIn(
      '青葉橋は1931年に技師の佐藤健が建てた。長さは二百メートルである。',
      '青葉橋は誰が建てましたか？',
      '佐藤健',
    ),
  );

  async function answersIn(content: string, query: string, expected: string): Promise<void> {
    const { body: memory } = await call('POST', '/memories', { display_name: 'Languages' });
    const documents = [{ content }, { content: 'The ferry leaves the island at noon.' }];
    await ingest(cairn.baseUrl, cairn.apiKey, documents, { memory_id: memory.memory_id });
    const { body } = await search({ query, memory_id: memory.memory_id });
    expect(body.results[0].text).toBe(content);
    expect(body.answer).toContain(expected);
    expect(body.citations).toHaveLength(1);
  }
});

describe('POST /api/v1/memory/search/stream', () => {
  const stream = (body: object) =>
    fetch(`${cairn.baseUrl}/api/v1/memory/search/stream`, {
      method: 'POST',
      headers: { 'x-api-key': cairn.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  proves(
    ['POST /memory/search/stream', 'sse.sources', 'sse.token', 'sse.done', 'D5.stream'],
    'sends sources, then tokens, then done; the tokens joined are the answer, and it is that of the plain search',
    async () => {
      const response = await stream({ query: QUESTION });
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
      const events = eventsOf(await response.text());
      const tokens = events.slice(1, -1);
      expect(events[0]!.event).toBe('sources');
      expect(events.at(-1)!.event).toBe('done');
      expect(new Set(tokens.map(({ event }) => event))).toEqual(new Set(['token']));
      for (const { data } of tokens) expect(data).toEqual({ text: expect.any(String) });
      const done = events.at(-1)!.data;
      expect(tokens.map(({ data }) => data.text).join('')).toBe(done.answer);
      expect(done.suggested_followups).toEqual(expect.any(Array));
      const plain = (await search({ query: QUESTION })).body;
      expect(done.answer).toBe(plain.answer);
      expect(events[0]!.data.citations).toEqual(plain.citations);
      const refused = await stream({});
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([422, 'validation_failed']);
    },
  );
});

describe('GET /api/v1/memory/graph/explore/{entity_id}', () => {
  const explore = (query: string, id = first.entity_id) =>
    call('GET', `/memory/graph/explore/${id}?memory_id=${memory_id}&${query}`);
  const hopsOf = async (query: string) =>
    Math.max(...(await explore(query)).body.nodes.map(({ hop }: { hop: number }) => hop));

  proves(
    ['GET /memory/graph/explore/{entity_id}', 'GraphNode.*', 'GraphEdge.*'],
    'answers nodes and edges with every field, from the entity that was asked for',
    async () => {
      const { status, body } = await explore('');
      expect(status).toBe(200);
      for (const node of body.nodes) expectFields('GraphNode', node);
      for (const edge of body.edges) expectFields('GraphEdge', edge);
      const ids = body.nodes.map(({ entity_id }: { entity_id: string }) => entity_id);
      expect(ids[0]).toBe(first.entity_id);
      expect(body.nodes[0]).toMatchObject({ name: 'Ines Carvalhal', type: 'person', document_count: 2 });
      expect(body.nodes[0].attributes).toEqual({ works_for: 'Northwind Bakery' });
      for (const { source, target } of body.edges)
        expect([ids.includes(source), ids.includes(target)]).toEqual([true, true]);
    },
  );

  proves(['error.max_hops', 'limit.max_hops'], 'max_hops is 2 by default and clamped into 1 to 6', async () => {
    for (const [query, hops] of [
      ['', 2],
      ['max_hops=1', 1],
      ['max_hops=6', 6],
      ['max_hops=0', 1],
      ['max_hops=-3', 1],
      ['max_hops=7', 6],
      ['max_hops=99', 6],
      ['max_hops=999999999999999', 6],
    ] as const)
      expect([query, await hopsOf(query)]).toEqual([query, hops]);
  });

  proves(
    ['error.max_hops', 'limit.max_hops'],
    'max_hops of sixteen digits and more is an integer, and clamped like any other',
    async () => {
      for (const [digits, hops] of [
        ['9'.repeat(16), 6],
        ['1'.repeat(40), 6],
        [`-${'9'.repeat(20)}`, 1],
        [`${'0'.repeat(30)}3`, 3],
      ] as const) {
        const answer = await explore(`max_hops=${digits}`);
        expect([digits, answer.status]).toEqual([digits, 200]);
        expect(await hopsOf(`max_hops=${digits}`)).toBe(hops);
      }
    },
  );

  proves(
    ['GET /memory/graph/explore/{entity_id}'],
    'relationship_types is repeated and restricts what is walked',
    async () => {
      const types = async (query: string) =>
        new Set((await explore(query)).body.edges.map(({ type }: { type: string }) => type));
      expect(await types('max_hops=1&relationship_types=works_for')).toEqual(new Set(['works_for']));
      expect(await types('max_hops=1&relationship_types=works_for&relationship_types=meet')).toEqual(
        new Set(['works_for', 'meet']),
      );
      const { nodes } = (await explore('max_hops=6&relationship_types=works_for')).body;
      expect(nodes.map(({ name }: { name: string }) => name)).toEqual(['Ines Carvalhal', 'Northwind Bakery']);
    },
  );

  proves(
    ['D5.graph', 'D5.entities'],
    'no integer is 422, an unknown entity 404; limit cuts off the end of the order and says so',
    async () => {
      for (const max_hops of ['two', '1.5', ''])
        expectRefusal(await explore(`max_hops=${max_hops}`), 422, 'validation_failed', 'max_hops');
      expectRefusal(await explore('', 'ent_222222222222222222222'), 404, 'not_found');
      const [whole, cut] = [(await explore('max_hops=6')).body, (await explore('max_hops=6&limit=3')).body];
      expect([whole.truncated, cut.truncated, cut.nodes.length]).toEqual([false, true, 3]);
      expect(cut.nodes.map(({ entity_id }: { entity_id: string }) => entity_id)).toEqual(
        whole.nodes.slice(0, 3).map(({ entity_id }: { entity_id: string }) => entity_id),
      );
      const order = whole.nodes.map(({ hop, centrality }: { hop: number; centrality: number }) => [hop, -centrality]);
      expect(order).toEqual(order.toSorted((a: number[], b: number[]) => a[0]! - b[0]! || a[1]! - b[1]!));
      for (const limit of ['0', '5001'])
        expectRefusal(await explore(`limit=${limit}`), 422, 'validation_failed', 'limit');
      expect(first.name).toBe('Ines Carvalhal');
      const none = await call('GET', `/memory/graph/entities?query=nobodyhere&memory_id=${memory_id}`);
      expect(none.body.entities).toEqual([]);
    },
  );
});

describe('MCP', () => {
  proves(
    ['D5.mcp', 'Space.own'],
    'each space has an endpoint with five tools, whose search finds what lies in the space',
    async () => {
      const space = (await call('POST', '/spaces', { name: 'Agents' })).body;
      const document = { content: 'The lighthouse keeper counts the ships.', space_id: space.space_id };
      await ingest(cairn.baseUrl, cairn.apiKey, [document]);
      const speak = async (method: string, params: object) => {
        const headers = { accept: 'application/json, text/event-stream' };
        const message = { jsonrpc: '2.0', id: 1, method, params };
        const answer = await call('POST', `/spaces/${space.space_id}/mcp`, message, { headers });
        return typeof answer.body === 'string' ? JSON.parse(/^data: (.+)$/m.exec(answer.body)![1]!) : answer.body;
      };
      const { tools } = (await speak('tools/list', {})).result;
      expect(tools.map(({ name }: { name: string }) => name).toSorted()).toEqual([
        'add_document',
        'append_turn',
        'explore_graph',
        'read_thread',
        'search_memory',
      ]);
      const found = await speak('tools/call', { name: 'search_memory', arguments: { query: 'Who counts the ships?' } });
      expect(JSON.stringify(found.result)).toContain('lighthouse keeper');
      const outside = await speak('tools/call', { name: 'search_memory', arguments: { query: QUESTION } });
      expect(JSON.stringify(outside.result)).not.toContain('October');
    },
  );
});
