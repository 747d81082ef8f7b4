import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type RunningCairn, specCases, startCairn } from '@cairn/testing';
import { api } from './api.ts';
import { messagesWith } from './installation-state.ts';

const DOCUMENTS = specCases(1_000);
const BATCH = 100;
const SHELVES = 50;

let cairn: RunningCairn;
beforeAll(async () => {
  cairn = await startCairn();
}, 90_000);
afterAll(() => cairn.remove());

const textOf = (number: number) =>
  `Parcel number${number} lies on shelf shelf${number % SHELVES}. ${'It is kept dry. '.repeat(10)}`;

async function statuses(): Promise<Map<string, { status: string; external_id: string }>> {
  const found = new Map<string, { status: string; external_id: string }>();
  let cursor = '';
  do {
    const page = await api(cairn.baseUrl, cairn.apiKey, 'GET', `/api/v1/memory/documents?limit=200${cursor}`);
    for (const document of page.body.documents) found.set(document.doc_id, document);
    cursor = page.body.next_cursor === undefined ? '' : `&cursor=${page.body.next_cursor}`;
  } while (cursor !== '');
  return found;
}

describe('kill -9 of everything during a bulk ingest', () => {
  it('loses nothing that was acknowledged, doubles nothing, and finishes the rest after the next start', async () => {
    const acknowledged = new Set<string>();
    const [{ memory_id }] = (await api(cairn.baseUrl, cairn.apiKey, 'GET', '/api/v1/memories')).body.memories;
    const searchLog = `/api/v1/memories/${memory_id}/search-log`;
    const searched = async (query: string) =>
      (await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memory/search', { query })).body;
    const sending = (async () => {
      for (let start = 0; start < DOCUMENTS; start += BATCH) {
        const documents = Array.from({ length: BATCH }, (_, offset) => ({
          content: textOf(start + offset),
          external_id: `parcel-${start + offset}`,
        }));
        const answer = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memory/documents', { documents }).catch(
          () => null,
        );
        if (answer?.status !== 202) return;
        for (const { doc_id } of answer.body.documents) acknowledged.add(doc_id);
      }
    })();
    let completedBefore: string[] = [];
    while (completedBefore.length < 300) {
      completedBefore = [...(await statuses())]
        .filter(([, document]) => document.status === 'completed')
        .map(([id]) => id);
    }
    await api(cairn.baseUrl, cairn.apiKey, 'PATCH', searchLog, { enabled: true });
    // Searches are kept after they were answered: what is killed in between may be missing, and is never there in part.
    const asked = new Set<string>();
    for (let n = 0; n < 10; n += 1) asked.add((await searched(`shelf${n}`)).search_id);
    await cairn.kill9();
    await sending;
    expect(await cairn.processes()).toEqual([]);

    cairn = await startCairn({ dataDir: cairn.dataDir });
    const afterRestart = await statuses();
    const after = (await searched('shelf1')).search_id;
    const list = () => api(cairn.baseUrl, cairn.apiKey, 'GET', '/api/v1/memory/searches');
    const { searches } = (await eventually(list, ({ body }) => body.searches[0]?.search_id === after)).body;
    for (const { search_id, question } of searches.slice(1)) {
      expect(asked.delete(search_id)).toBe(true);
      expect(question).toMatch(/^shelf\d$/);
    }
    for (const id of completedBefore) expect(afterRestart.get(id)?.status).toBe('completed');
    for (const id of acknowledged) expect(afterRestart.has(id)).toBe(true);

    // Whoever was cut off sends again; external ids make that harmless.
    for (let start = 0; start < DOCUMENTS; start += BATCH) {
      const documents = Array.from({ length: BATCH }, (_, offset) => ({
        content: textOf(start + offset),
        external_id: `parcel-${start + offset}`,
      }));
      expect((await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memory/documents', { documents })).status).toBe(
        202,
      );
    }
    const deadline = Date.now() + 60_000;
    let final = await statuses();
    while ([...final.values()].some((document) => document.status !== 'completed')) {
      expect(Date.now()).toBeLessThan(deadline);
      final = await statuses();
    }
    expect(final.size).toBe(DOCUMENTS);
    expect(new Set([...final.values()].map((document) => document.external_id)).size).toBe(DOCUMENTS);
    await expectEachFoundOnce();
  }, 180_000);

  it('ends a deletion that was begun before it, and counts each document once', async () => {
    const call = (method: string, path: string, body?: unknown) =>
      api(cairn.baseUrl, cairn.apiKey, method, `/api/v1/memory/${path}`, body);
    const { documents, job } = (await call('POST', 'documents/delete', { filter: { query: 'parcel-' } })).body;
    expect(documents).toBe(DOCUMENTS);
    const read = async () => (await call('GET', `jobs/${job.job_id}`)).body;
    await eventually(read, ({ done }) => done > 0);
    await cairn.kill9();
    cairn = await startCairn({ dataDir: cairn.dataDir });
    const ended = await eventually(read, ({ status }) => status === 'completed', 60_000);
    expect(ended).toMatchObject({ done: DOCUMENTS, failed: 0, problems: [] });
    expect((await statuses()).size).toBe(0);
  }, 120_000);

  async function expectEachFoundOnce(): Promise<void> {
    const found: string[] = [];
    for (let shelf = 0; shelf < SHELVES; shelf += 1) {
      const answer = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memory/search', {
        query: `shelf${shelf}`,
        top_k: 100,
      });
      // Others may be found beside them, through names that they share.
      const named = (answer.body.results as { text: string }[]).filter(({ text }) => text.includes(`shelf${shelf}.`));
      found.push(...named.map(({ text }) => /number(\d+)/.exec(text)![1]!));
    }
    expect(found.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: DOCUMENTS }, (_, number) => number));
  }
});

describe('kill -9 of one of the engines while everything else runs', () => {
  const RECOVERED_MS = 60_000;
  const ingest = (name: string) =>
    api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memory/documents', {
      documents: [{ content: `The ${name} is in the harbour.`, external_id: name }],
    }).then(
      ({ status, body }) => (status === 202 ? (body.documents[0].doc_id as string) : null),
      () => null,
    );
  const isFound = async (name: string) => {
    const answer = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memory/search', { query: name }).catch(
      () => null,
    );
    return answer?.status === 200 && answer.body.results.some(({ text }: { text: string }) => text.includes(name));
  };

  it('of PostgreSQL: it is started again, requests succeed without anybody’s help, and nothing acknowledged is lost', async () => {
    const before = await cairn.databaseUrl();
    const acknowledged: string[] = [];
    let sending = true;
    const sender = (async () => {
      for (let n = 0; sending; n += 1) if ((await ingest(`frigate${n}`)) !== null) acknowledged.push(`frigate${n}`);
    })();
    await eventually(() => acknowledged.length >= 5);
    await cairn.kill('postgres');
    const atDeath = acknowledged.length;
    await eventually(() => acknowledged.length >= atDeath + 5, Boolean, RECOVERED_MS);
    sending = false;
    await sender;
    for (const name of acknowledged) await eventually(() => isFound(name), Boolean, RECOVERED_MS);
    expect(await cairn.databaseUrl()).toBe(before);
    if (cairn.embedded)
      expect(cairn.output()).toMatch(/PostgreSQL ended unexpectedly and is started again\n.*PostgreSQL runs again/s);
  }, 180_000);

  it('of NATS: requests go on, it is started again, and every event of before and meanwhile is in the stream', async () => {
    const before = await cairn.eventsUrl();
    const held = await ingest('schooner1');
    await eventually(() => isFound('schooner1'), Boolean, RECOVERED_MS);
    await eventually(async () => (await messagesWith(cairn, held!)).length > 0, Boolean, RECOVERED_MS);
    await cairn.kill('nats');
    const meanwhile = await ingest('schooner2');
    expect(meanwhile).not.toBeNull();
    await eventually(() => isFound('schooner2'), Boolean, RECOVERED_MS);
    // Only then may this process look into the stream: it would start the server itself.
    if (cairn.embedded) await eventually(() => cairn.output().includes('NATS runs again'), Boolean, RECOVERED_MS);
    const isReported = async (id: string) => (await messagesWith(cairn, id)).length > 0;
    await eventually(async () => (await isReported(held!)) && (await isReported(meanwhile!)), Boolean, RECOVERED_MS);
    expect(await cairn.eventsUrl()).toBe(before);
  }, 180_000);
});
