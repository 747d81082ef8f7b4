import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type RunningCairn } from '@cairn/testing';
import type { RoundRobin } from './round-robin.ts';
import { type ServiceProcess, whileSuspended } from './replica.ts';

interface Mixed {
  cairn: RunningCairn;
  /** URL of the gateway before old and new processes. */
  gateway: string;
  /** What the old release left. */
  before: { key: string; docId: string };
  keys: RoundRobin;
  memory: RoundRobin;
  research: RoundRobin;
  oldResearch: ServiceProcess;
}

interface Check {
  name: string;
  /** What was seen; throws when it does not hold. */
  check(): Promise<string>;
}

const DOCUMENTS = 20;
const KEYS = 20;
const SETTLED_MS = 180_000;
const [OLD, NEW] = [0, 1];
const PATH_OF_KEYS = '/api/v1/api-keys';
const PATH_OF_START = '/api/v1/search/research/start';
const PATH_OF_STATUS = '/api/v1/search/workflow/status';

type Body = Record<string, unknown>;

/** Calls of one key; another status than the wanted one is an error. */
export function callApi(baseUrl: string, key: string) {
  return async (method: string, path: string, body?: Body, wanted = 200): Promise<Body> => {
    const response = await answerOf(baseUrl, key, method, path, body);
    const text = await response.text();
    if (response.status !== wanted) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return text === '' ? {} : (JSON.parse(text) as Body);
  };
}

async function answerOf(baseUrl: string, key: string, method: string, path: string, body?: Body): Promise<Response> {
  for (;;) {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status !== 429) return response;
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}

/** What has to hold in the middle of a roll-out; the last one ends the old process of research. */
export function checksOf(mixed: Mixed): Check[] {
  return [
    { name: 'a document and a key of before the upgrade are good', check: () => oldDataHold(mixed) },
    { name: 'documents are taken in by both and found by both', check: () => documentsHold(mixed) },
    {
      name: 'keys that either mints are good at once, and refused once either deleted them',
      check: () => keysHold(mixed),
    },
    { name: 'a run that the old one starts is finished by the new one', check: () => runIsTakenOver(mixed) },
  ];
}

async function oldDataHold({ gateway, before, memory }: Mixed): Promise<string> {
  const call = callApi(gateway, before.key);
  for (const server of [OLD, NEW]) {
    memory.only(server);
    await eventually(
      () => call('POST', '/api/v1/memory/search', { query: 'quillberry yoghurt' }),
      ({ results }) => (results as { doc_id: string }[]).some(({ doc_id }) => doc_id === before.docId),
      SETTLED_MS,
    );
  }
  memory.only(null);
  return 'found by the old and the new one';
}

async function documentsHold({ gateway, cairn, memory }: Mixed): Promise<string> {
  const call = callApi(gateway, cairn.apiKey);
  for (let number = 0; number < DOCUMENTS; number += 1) {
    const content = `Report ${number} of pump station wexcombe${number}: the valve was replaced.`;
    await call('POST', '/api/v1/memory/documents', { documents: [{ content }] }, 202);
  }
  for (const server of [OLD, NEW]) {
    memory.only(server);
    for (let number = 0; number < DOCUMENTS; number += 1)
      await eventually(
        () => call('POST', '/api/v1/memory/search', { query: `wexcombe${number}` }),
        ({ results }) => (results as unknown[]).length === 1,
        SETTLED_MS,
      );
  }
  memory.only(null);
  return `${DOCUMENTS} of ${DOCUMENTS} found by each`;
}

async function keysHold({ gateway, cairn, keys }: Mixed): Promise<string> {
  const call = callApi(gateway, cairn.apiKey);
  let refused = 0;
  for (let number = 0; number < KEYS; number += 1) {
    // Each mints half, and deletes half of those that each has minted.
    keys.only(number % 2);
    const made = await call('POST', PATH_OF_KEYS, { name: `key ${number}` }, 201);
    const key = made['api_key'] as string;
    for (const url of [gateway, cairn.baseUrl]) await callApi(url, key)('GET', '/api/v1/memories');
    keys.only((number >> 1) % 2);
    await call('DELETE', `${PATH_OF_KEYS}/${made['key_id'] as string}`);
    for (const url of [gateway, cairn.baseUrl]) {
      const { status } = await answerOf(url, key, 'GET', '/api/v1/memories');
      if (status !== 401) throw new Error(`a deleted key was answered with ${status}`);
      refused += 1;
    }
  }
  keys.only(null);
  return `${KEYS} minted, used and deleted; ${refused} requests after it refused`;
}

async function runIsTakenOver({ gateway, cairn, research, oldResearch }: Mixed): Promise<string> {
  const call = callApi(gateway, cairn.apiKey);
  const query = 'Which valves were replaced in which pump stations according to our reports?';
  let thread = '';
  const statusOf = async () => (await call('GET', `${PATH_OF_STATUS}/${thread}`))['status'];
  await whileSuspended(cairn, 'research', async () => {
    research.only(OLD);
    thread = (await call('POST', PATH_OF_START, { query }))['thread_id'] as string;
    const status = await eventually(statusOf, (now) => now !== 'queued', SETTLED_MS);
    await oldResearch.kill();
    if (status !== 'running') throw new Error(`the run was ${String(status)} before the old one was ended`);
  });
  research.only(NEW);
  await eventually(statusOf, (status) => status === 'completed', SETTLED_MS);
  return 'running when the old one was killed with -9, completed by the new one';
}
