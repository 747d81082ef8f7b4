import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { eventually, type SharedCairn } from '@cairn/testing';
import { ingest } from '../tests/api.ts';
import { type Call, contract, expectFields, expectRefusal, proves } from './contract.ts';
import { type RunMessage, statusOf } from './runs.ts';
import { CALENDAR_PAGES_MAX, WINDMILLS, windmillSite } from './windmill-site.ts';

const TEXTS = [
  'Ada Stone works for the Marlow Institute. She leads the laboratory.',
  'Boris Vale is a chemist at the Marlow Institute.',
  'The Marlow Institute has its head office in Lindau. It was founded in 1931.',
  'Clara Voss works for the Senn Works in Basel.',
];

let cairn: SharedCairn;
let call: Call;
let workspace_id: string;
beforeAll(async () => {
  ({ cairn, call } = await contract());
  ({ workspace_id } = (await call('GET', '/memories')).body.memories[0]);
  const documents = TEXTS.map((content, n) => ({ content, title: `Note ${n}` }));
  await ingest(cairn.baseUrl, cairn.apiKey, documents);
}, 180_000);
afterAll(() => cairn.remove());

const start = async (kind: string, body: object) => (await call('POST', `/search/${kind}/start`, body)).body;
const people = (body: object) => start('workflow/people', body);
const prepared = async (path: string, body: object) => (await call('POST', `/search/${path}`, body)).body;
const ledgerOf = async (threadId: string) => {
  const { ledger } = (await call('GET', '/usage/credits')).body;
  return ledger.find(({ thread_id }: { thread_id: string | null }) => thread_id === threadId);
};
const rowsOf = async (listId: string) => (await call('GET', `/search/lists/${listId}/rows`)).body.data as RunMessage[];

describe('web and research, crawler', () => {
  proves(
    ['POST /search/agent/web-and-research', 'WebSession.*', 'rules.prepared', 'order.connection', 'D6.status'],
    'answers a session whose run waits for the connection to its websocket_url',
    async () => {
      const body = { prompt: 'Where is the head office of the Marlow Institute?', live_url: false, proxy: false };
      const answer = await call('POST', '/search/agent/web-and-research', body);
      expect(answer.status).toBe(200);
      expectFields('WebSession', answer.body);
      expect(answer.body).toMatchObject({
        success: true,
        status: 'awaiting_connection',
        thread_id: expect.stringMatching(/^thr_/),
        list_id: expect.stringMatching(/^lst_/),
        websocket_url: expect.stringMatching(/^ws:\/\//),
      });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const status = (await call('GET', `/search/workflow/status/${answer.body.thread_id}`)).body;
      expect(status).toMatchObject({
        status: 'awaiting_connection',
        kind: 'web',
        list_id: answer.body.list_id,
        started_at: null,
      });
      await call('POST', `/search/workflow/stop/${answer.body.thread_id}`);
      expectRefusal(await call('POST', '/search/agent/web-and-research', {}), 422, 'validation_failed', 'prompt');
    },
  );

  proves(
    ['D6.search_mode', 'D6.proxy'],
    'an unknown llm_model is refused, and a proxy that the operator does not have',
    async () => {
      for (const [path, key] of [
        ['agent/web-and-research', 'prompt'],
        ['service-deep-search/start', 'prompt'],
        ['research/start', 'query'],
      ] as const)
        expectRefusal(
          await call('POST', `/search/${path}`, { [key]: 'x', llm_model: 'nobody-has-it' }),
          422,
          'validation_failed',
          'llm_model',
        );
      for (const path of ['agent/web-and-research', 'service-deep-search/start'])
        expectRefusal(await call('POST', `/search/${path}`, { prompt: 'x', proxy: true }), 422, 'proxy_not_configured');
      const long = { query: 'x', serviceId: 'x'.repeat(129) };
      expectRefusal(await call('POST', '/search/research/start', long), 422, 'validation_failed', 'serviceId');
    },
  );

  proves(
    ['POST /search/agent/agentic-crawler', 'WebSession.*', 'D6.crawler', 'D6.robots'],
    'a crawl of a plain site collects every entity with what the prompt asks for, and ends in spite of an endless calendar',
    async () => {
      const site = await windmillSite();
      const prompt = `Collect every windmill of ${site.url} with the year in which it was built`;
      const answer = await call('POST', '/search/agent/agentic-crawler', { prompt, start: 'now' });
      expect(answer.status).toBe(200);
      expectFields('WebSession', answer.body);
      try {
        const over = await eventually(
          () => call('GET', `/search/workflow/status/${answer.body.thread_id}`),
          ({ body }) => body.status === 'completed' || site.calendarPages() > CALENDAR_PAGES_MAX,
          100_000,
        );
        expect(site.calendarPages()).toBeLessThanOrEqual(CALENDAR_PAGES_MAX);
        expect(over.body.status).toBe('completed');
        expect(site.forbidden()).toBe(0);
        const rows = (await call('GET', `/search/lists/${answer.body.list_id}/rows?limit=200`)).body
          .data as RunMessage[];
        const missing = WINDMILLS.filter(([name, year]) => {
          const ofMill = rows.filter((row) => row['name'].includes(name));
          const cells: { value: string }[] = Object.values(ofMill[0]?.['cells'] ?? {});
          return ofMill.length !== 1 || !cells.some(({ value }) => value.includes(year));
        });
        expect(missing).toEqual([]);
      } finally {
        await call('POST', `/search/workflow/stop/${answer.body.thread_id}`);
        site.close();
      }
    },
    150_000,
  );
});

describe('people and company search', () => {
  proves(
    [
      'POST /search/workflow/people/start',
      'PeopleSession.*',
      'charging.list.build',
      'SavedList.*',
      'D6.lists',
      'D7.charge',
      'D7.prices',
    ],
    'starts at once, finds who meets the criteria with evidence in every cell, and is charged once as list.build',
    async () => {
      const body = {
        prompt: 'Find people who work for the Marlow Institute',
        list_name: 'Staff',
        list_description: 'Of Marlow',
      };
      const answer = await call('POST', '/search/workflow/people/start', { ...body, search_mode: 'fast' });
      expect(answer.status).toBe(200);
      expectFields('PeopleSession', answer.body);
      expect([answer.body.success, answer.body.status]).toEqual([true, 'queued']);
      const { thread_id } = answer.body;
      expect(await ledgerOf(thread_id)).toMatchObject({ charge: 'list.build', credits: 10 });
      const over = await statusOf(call, thread_id);
      expect(over).toMatchObject({ status: 'completed', kind: 'people', total_target: 10, progress: { percent: 100 } });
      expect(over['cost']).toMatchObject({ charge: 'list.build', credits: 10, state: 'settled' });
      const settled = await eventually(
        () => ledgerOf(thread_id),
        ({ state }) => state !== 'reserved',
      );
      expect(settled).toMatchObject({ charge: 'list.build', credits: 10, state: 'settled' });
      const list = (await call('GET', `/search/lists/${over['list_id']}`)).body;
      expectFields('SavedList', list);
      expect(list).toMatchObject({
        listName: 'Staff',
        listDescription: 'Of Marlow',
        listStatus: 'ready',
        listType: 'people',
        noOfRecords: 2,
      });
      const rows = await rowsOf(list.id);
      expect(rows.map(({ name }) => name).toSorted()).toEqual(['Ada Stone', 'Boris Vale']);
      for (const { cells } of rows)
        for (const cell of Object.values(cells as Record<string, RunMessage>)) {
          expect(cell).toMatchObject({ value: expect.any(String), confidence: expect.any(Number) });
          expect(TEXTS.join(' ')).toContain(cell['evidence'][0].quote);
        }
      expectRefusal(
        await call('POST', '/search/workflow/people/start', { prompt: 'x', search_mode: 'slow' }),
        422,
        'validation_failed',
        'search_mode',
      );
    },
  );

  proves(
    ['D6.source instructions', 'D6.own documents'],
    'an instruction about sources in a sentence of its own is no criterion: who meets the criteria is found',
    async () => {
      const { thread_id } = await people({
        prompt: 'Find all people who work at the Marlow Institute. Use my documents only.',
      });
      const over = await statusOf(call, thread_id);
      expect(over['status']).toBe('completed');
      const criteria = over['criteria'].map(({ text }: { text: string }) => text).join(' | ');
      expect(criteria).toContain('Marlow Institute');
      expect(criteria).not.toMatch(/documents|\bUse\b/);
      const names = (await rowsOf(over['list_id'])).map(({ name }) => name).toSorted();
      expect(names).toEqual(['Ada Stone', 'Boris Vale']);
    },
  );

  proves(
    ['D6.source instructions'],
    'people named in my documents are the people that the documents name',
    async () => {
      const { thread_id } = await people({ prompt: 'People named in my documents' });
      const over = await statusOf(call, thread_id);
      expect([over['status'], over['error']]).toEqual(['completed', null]);
      const names = (await rowsOf(over['list_id'])).map(({ name }) => name).toSorted();
      expect(names).toEqual(['Ada Stone', 'Boris Vale', 'Clara Voss']);
    },
  );

  proves(
    ['POST /search/workflow/continue', 'POST /search/workflow/stop/{thread_id}', 'D6.company'],
    'a company search is continued to a higher target and stopped; stopping again answers the same',
    async () => {
      const { thread_id } = await start('workflow/company', { prompt: 'Companies in Basel', total_target: 5 });
      const over = await statusOf(call, thread_id);
      expect(over).toMatchObject({ kind: 'company', status: 'completed', total_target: 5 });
      const continued = await call('POST', '/search/workflow/continue', { thread_id, total_target: 50 });
      expect([continued.status, continued.body.success, continued.body.thread_id]).toEqual([200, true, thread_id]);
      expect(continued.body.status).toMatch(/^(?:queued|running|completed)$/);
      expect((await statusOf(call, thread_id))['total_target']).toBe(50);
      const stopped = await call('POST', `/search/workflow/stop/${thread_id}`);
      expect([stopped.status, stopped.body.success, stopped.body.thread_id]).toEqual([200, true, thread_id]);
      expect(stopped.body.message).toMatch(/\w/);
      const again = await call('POST', `/search/workflow/stop/${thread_id}`);
      expect(again.body).toEqual(stopped.body);
      expectRefusal(await call('POST', '/search/workflow/stop/thr_222222222222222222222'), 404, 'not_found');
    },
  );

  proves(
    ['POST /search/workflow/continue', 'D6.company'],
    'continue takes a people search, too, and refuses a target that is not above what is there',
    async () => {
      const { thread_id } = await people({ prompt: 'Find people who work for the Marlow Institute' });
      await statusOf(call, thread_id);
      expectRefusal(await call('POST', '/search/workflow/continue', { thread_id, total_target: 2 }), 409, 'conflict');
      expect((await call('POST', '/search/workflow/continue', { thread_id, total_target: 30 })).status).toBe(200);
      const over = await statusOf(call, thread_id);
      const names = (await rowsOf(over['list_id'])).map(({ name }) => name);
      expect(names.toSorted()).toEqual(['Ada Stone', 'Boris Vale']);
    },
  );

  proves(
    ['GET /search/lists', 'limit.lists', 'D6.lists'],
    'lists are numbered pages of 20, found by term and type; those of the web only when they are asked for',
    async () => {
      const web = await prepared('agent/web-and-research', { prompt: 'Marlow' });
      const { thread_id } = await people({
        prompt: 'people in Lindau',
        list_name: '=Marlow, again',
        list_description: 'd',
      });
      const { list_id } = await statusOf(call, thread_id);
      const lists = async (query = '') => (await call('GET', `/search/lists${query}`)).body;
      const all = await lists();
      expect(Object.keys(all).toSorted()).toEqual(['data', 'success', 'total']);
      expect([all.success, all.total]).toEqual([true, all.data.length]);
      for (const list of all.data) expectFields('SavedList', list);
      const idsOf = (answer: { data: { id: string }[] }) => answer.data.map(({ id }) => id);
      expect(idsOf(all)).toContain(list_id);
      expect(idsOf(all)).not.toContain(web.list_id);
      expect(idsOf(await lists('?listType=web'))).toContain(web.list_id);
      expect(new Set((await lists('?listType=people')).data.map(({ listType }: RunMessage) => listType))).toEqual(
        new Set(['people']),
      );
      expect(idsOf(await lists('?searchTerm=Marlow,%20again'))).toEqual([list_id]);
      const [one, two] = [await lists('?limit=1'), await lists('?limit=1&page=2')];
      expect([...idsOf(one), ...idsOf(two)]).toEqual(idsOf(all).slice(0, 2));
      expect(one.total).toBe(all.total);
      for (const query of ['page=0', 'limit=0', 'limit=201', 'listType=other'])
        expectRefusal(await call('GET', `/search/lists?${query}`), 422, 'validation_failed', query.split('=')[0]!);
      const csv = await call('GET', `/search/lists/${list_id}/export?format=csv`);
      expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
      expect(Array.isArray((await call('GET', `/search/lists/${list_id}/export?format=json`)).body.rows ?? [])).toBe(
        true,
      );
      await call('POST', `/search/workflow/stop/${web.thread_id}`);
    },
  );
});

describe('deep search', () => {
  proves(
    [
      'POST /search/service-deep-search/start',
      'DeepSearchSession.*',
      'charging.research.run',
      'D7.charge',
      'D6.live_url',
    ],
    'answers the session of a run that waits; its price is reserved, and released when nobody ever connected',
    async () => {
      const answer = await call('POST', '/search/service-deep-search/start', { prompt: 'Who works in Basel?' });
      expect(answer.status).toBe(200);
      expectFields('DeepSearchSession', answer.body);
      expect(answer.body).toMatchObject({ success: true, live_url: '', workspace_id, status: 'awaiting_connection' });
      expect(await ledgerOf(answer.body.thread_id)).toMatchObject({
        charge: 'research.run',
        credits: 25,
        state: 'reserved',
      });
      const stopped = await call('POST', `/search/workflow/stop/${answer.body.thread_id}`);
      expect(stopped.body.status).toBe('cancelled');
      await eventually(
        () => ledgerOf(answer.body.thread_id),
        ({ state }) => state === 'released',
      );
      const watched = await prepared('service-deep-search/start', { prompt: 'x', live_url: true });
      const page = await fetch(watched.live_url);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
      const forged = await fetch(watched.live_url.replace(/.{6}$/, 'AAAAAA'));
      expect(forged.status).toBe(401);
      await call('POST', `/search/workflow/stop/${watched.thread_id}`);
    },
  );

  proves(
    ['POST /search/service-deep-search/upload', 'D6.upload'],
    'takes reference files for an active deep search, whose texts the run reads',
    async () => {
      const upload = async (threadId: string, name: string, bytes: string | Uint8Array<ArrayBuffer>) => {
        const form = new FormData();
        form.set('thread_id', threadId);
        form.set('file', new Blob([bytes]), name);
        const url = `${cairn.baseUrl}/api/v1/search/service-deep-search/upload`;
        const sent = await fetch(url, { method: 'POST', headers: { 'x-api-key': cairn.apiKey }, body: form });
        return { status: sent.status, body: (await sent.json()) as RunMessage };
      };
      const { thread_id } = await prepared('service-deep-search/start', { prompt: 'When is the Quillon ferry due?' });
      const sent = await upload(thread_id, 'ferry ../times.md', '# Ferry\n\nThe Quillon ferry is due at 07:40.');
      expect([sent.status, sent.body['success'], sent.body['workspace_id']]).toEqual([200, true, workspace_id]);
      expect(sent.body['paths']).toHaveLength(1);
      expect(sent.body['paths'][0]).toMatch(new RegExp(`^${thread_id}/[^/]+$`));
      expect((await upload(thread_id, 'a.bin', new Uint8Array([0, 1, 2, 3, 255]))).status).toBe(415);
      expect((await upload(thread_id, 'b.txt', new Uint8Array(26 * 1_048_576).fill(97))).status).toBe(413);
      await call('POST', `/search/workflow/stop/${thread_id}`);
      const late = await upload(thread_id, 'late.txt', 'Too late.');
      expect([late.status, late.body['code']]).toEqual([409, 'conflict']);
      const web = await prepared('agent/web-and-research', { prompt: 'x' });
      expect((await upload(web.thread_id, 'c.txt', 'Not a deep search.')).status).toBe(409);
    },
  );
});
