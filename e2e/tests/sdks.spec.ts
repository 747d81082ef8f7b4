import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXAMPLES, isGuarded, OPERATIONS } from '@cairn/contracts';
import { Cairn, CairnError } from '@cairn/sdk';
import { eventually, listenOnLoopback, pythonEnvironment, type SharedCairn, sharedCairn } from '@cairn/testing';
import { createExampleTenant } from './example-tenant.ts';
import { isRecorded, recordExamples } from './record-examples.ts';
import { REFUSED, type SdkCall, sdkCalls } from './sdk-calls.ts';

const PYTHON = join(import.meta.dirname, '..', '..', 'sdk', 'python');
const python = pythonEnvironment(['httpx==0.28.1']);
const inPython = python === null ? it.skip : it;
const EVERY_ID = OPERATIONS.map(({ id }) => id).sort();

let cairn: SharedCairn;
beforeAll(async () => {
  cairn = await sharedCairn();
}, 120_000);
afterAll(() => cairn.remove());

/** A tenant of its own with one of everything, and every call about it. */
async function newWorld(name: string): Promise<{ key: string; calls: SdkCall[] }> {
  const owned = await createExampleTenant(cairn, name);
  return { key: owned.apiKey, calls: sdkCalls(owned) };
}

/** Each operation's outcome: `ok`, or the code it was refused with. */
function expectEvery(outcomes: Record<string, string>): void {
  expect(Object.keys(outcomes).sort()).toEqual(EVERY_ID);
  expect(outcomes).toEqual(Object.fromEntries(EVERY_ID.map((id) => [id, REFUSED[id] ?? 'ok'])));
}

async function consume(answer: unknown, kind: string): Promise<void> {
  if (kind === 'stream') await (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
  else if (kind === 'socket') ((await answer) as WebSocket).close();
  else if (kind === 'file') await ((await answer) as Response).text();
  else await answer;
}

/** Passes requests on, and loses the first answer to each one that creates, after the work was done. */
async function startLossyProxy(
  target: string,
): Promise<{ baseUrl: string; lost: string[]; replayed: string[]; close(): void }> {
  const [lost, replayed]: [string[], string[]] = [[], []];
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = incoming.headers;
    const key = headers['idempotency-key'] as string | undefined;
    const answer = await fetch(target + incoming.url, {
      method: incoming.method!,
      headers: headers as Record<string, string>,
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const what = `${incoming.method} ${incoming.url} ${key}`;
    if (key !== undefined && answer.ok && !lost.includes(what)) {
      lost.push(what);
      return outgoing.destroy();
    }
    if (answer.headers.get('idempotency-replayed') === 'true') replayed.push(what);
    return outgoing
      .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
      .end(body);
  });
  const port = await listenOnLoopback(server);
  return { baseUrl: `http://127.0.0.1:${port}`, lost, replayed, close: () => server.close() };
}

/** Each request whose first answer was lost was made again and answered from the first. */
function expectOneEffectEach(
  { lost, replayed }: { lost: string[]; replayed: string[] },
  outcomes: Record<string, string>,
  more: number,
): void {
  const creating = OPERATIONS.filter((one) => isGuarded(one) && one.idempotent === true).map(({ id }) => id);
  expect(lost.length).toBe(creating.filter((id) => outcomes[id] === 'ok').length + more);
  // Who stops a run again is told the same, with or without a key.
  expect(replayed).toEqual(lost.filter((what) => !what.includes('/workflow/stop/')));
}

async function outcomesInPython(
  baseUrl: string,
  apiKey: string,
  calls: readonly SdkCall[],
): Promise<Record<string, string>> {
  const child = spawn(python!, [join(PYTHON, 'tests', 'call_all.py')], {
    env: { ...process.env, PYTHONPATH: join(PYTHON, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
  });
  child.stdin.end(JSON.stringify({ base_url: baseUrl, api_key: apiKey, calls }));
  const [outcomes, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(complaints).toBe('');
  return JSON.parse(outcomes) as Record<string, string>;
}

type Method = (...args: unknown[]) => unknown;

async function outcomesOf(client: Cairn, calls: readonly SdkCall[]): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const { id, name, kind, path, fields, file } of calls) {
    const method = name.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], client);
    const given = file === undefined ? [...path, fields] : [...path, { name: 'a.txt', content: file }, fields];
    const takesNothing = Object.keys(fields).length === 0;
    try {
      await consume((method as Method)(...(takesNothing ? path : given)), kind);
      outcomes[id] = 'ok';
    } catch (error) {
      if (!(error instanceof CairnError)) throw new Error(`${id} failed`, { cause: error });
      outcomes[id] = error.code;
    }
  }
  return outcomes;
}

/** The operations that the audit log has records of. */
async function auditedOperations(client: Cairn): Promise<Set<string>> {
  const operations = new Set<string>();
  for await (const { operation } of client.audit.list({ limit: 200 })) operations.add(operation);
  return operations;
}

describe('every operation can be called', () => {
  it('through the TypeScript SDK, and what creates does so once though its first answer is lost', async () => {
    const { key, calls } = await newWorld('TypeScript');
    const proxy = await startLossyProxy(cairn.baseUrl);
    const client = new Cairn({ baseUrl: proxy.baseUrl, apiKey: key });
    await client.documents.upload({ name: 'a.txt', content: 'A file is sent twice and kept once.' });
    const isSocket = ({ kind }: SdkCall) => kind === 'socket';
    const direct = new Cairn({ baseUrl: cairn.baseUrl, apiKey: key });
    const outcomes = { ...(await outcomesOf(direct, calls.filter(isSocket))) };
    const others = calls.filter((one) => !isSocket(one));
    Object.assign(outcomes, await outcomesOf(client, others));
    proxy.close();
    expectEvery(outcomes);
    // And the upload.
    expectOneEffectEach(proxy, outcomes, 1);
    const changing = OPERATIONS.filter(
      (one) => isGuarded(one) && one.action === 'write' && one.response.kind === 'json',
    );
    const changed = changing.map(({ id }) => id).filter((id) => outcomes[id] === 'ok');
    const recorded = await eventually(
      () => auditedOperations(direct),
      (operations) => changed.every((id) => operations.has(id)),
      20_000,
    );
    expect(changed.filter((id) => !recorded.has(id))).toEqual([]);
  }, 180_000);

  inPython(
    'through the Python SDK, and what creates does so once though its first answer is lost',
    async () => {
      const { key, calls } = await newWorld('Python');
      const proxy = await startLossyProxy(cairn.baseUrl);
      const isSocket = ({ kind }: SdkCall) => kind === 'socket';
      const outcomes = {
        ...(await outcomesInPython(cairn.baseUrl, key, calls.filter(isSocket))),
        ...(await outcomesInPython(
          proxy.baseUrl,
          key,
          calls.filter((one) => !isSocket(one)),
        )),
      };
      proxy.close();
      expectEvery(outcomes);
      expectOneEffectEach(proxy, outcomes, 0);
    },
    180_000,
  );
});

describe('the examples of the operations', () => {
  it('are what an installation is sent and answers: run npm run generate:examples when an operation changed', async () => {
    const live = await recordExamples(cairn.baseUrl, await createExampleTenant(cairn));
    const expected = OPERATIONS.filter(isRecorded);
    expect(Object.keys(EXAMPLES).sort()).toEqual(expected.map(({ id }) => id).sort());
    for (const operation of expected) {
      const [now, kept] = [live[operation.id]!, EXAMPLES[operation.id]!];
      const request = ({ path, query, body, status }: typeof now) => ({
        id: operation.id,
        fields: [path, query, body].map((part) => Object.keys(part ?? {}).sort()),
        status,
      });
      expect(request(kept)).toEqual(request(now));
      if (operation.response.kind !== 'json') continue;
      expect(operation.response.schema.safeParse(now.answer).error).toBeUndefined();
      expect(operation.response.schema.safeParse(kept.answer).error).toBeUndefined();
    }
  }, 120_000);
});
