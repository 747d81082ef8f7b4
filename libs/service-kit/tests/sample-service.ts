import { defineOperation, type Operation } from '@cairn/contracts';
import { createRequestVerifier, createTokenVerifier, type Identity, requestKeysOf } from '@cairn/identity';
import { createTestIdentities, type TestIdentities, testIdentity } from '@cairn/testing';
import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import pino from 'pino';
import { z } from 'zod';
import {
  handle,
  type RequestContext,
  type Emit,
  type HttpListener,
  listenHttp,
  type Logger,
  operationsApp,
  socket,
  stream,
} from '../src/index.ts';

const common = {
  service: 'keys',
  app: 'keys',
  tag: 'Samples',
  summary: 'A sample',
  description: 'A sample of an operation, for specs.',
} as const;

export const BODY_MAX_BYTES = 10_000;

const echo = defineOperation({
  ...common,
  id: 'echo',
  sdk: 'samples.echo',
  method: 'POST',
  path: '/api/v1/samples',
  action: 'write',
  scope: 'keys:write',
  reach: 'tenant',
  idempotent: true,
  bodyMaxBytes: BODY_MAX_BYTES,
  body: z.strictObject({ text: z.string() }),
  response: { kind: 'json', status: 201, schema: z.object({ text: z.string() }) },
});

const read = defineOperation({
  ...common,
  id: 'read',
  sdk: 'samples.read',
  method: 'GET',
  path: '/api/v1/samples/{sample_id}',
  action: 'read',
  scope: 'memory:search',
  reach: 'memory',
  params: z.strictObject({ sample_id: z.string().max(50) }),
  query: z.strictObject({ limit: z.coerce.number().int().optional() }),
  response: { kind: 'json', status: 200, schema: z.object({ sample_id: z.string() }) },
});

const live = defineOperation({
  ...common,
  id: 'live',
  sdk: 'samples.live',
  method: 'GET',
  path: '/api/v1/live',
  action: 'read',
  scope: 'memory:search',
  reach: 'memory',
  response: { kind: 'socket' },
});

const feed = defineOperation({
  ...common,
  id: 'feed',
  sdk: 'samples.feed',
  method: 'GET',
  path: '/api/v1/feed',
  action: 'read',
  scope: 'memory:search',
  reach: 'memory',
  response: { kind: 'stream', events: { item: z.object({ n: z.number(), fill: z.string() }), done: z.object({}) } },
});

/** What the operations do; a spec replaces them. */
interface Behaviour {
  echo: (call: RequestContext<typeof echo>) => Promise<{ body: { text: string }; status?: number; replayed?: boolean }>;
  read: (call: RequestContext<typeof read>) => Promise<{ body: { sample_id: string } }>;
  feed: (call: RequestContext<typeof feed>, emit: Emit<typeof feed>) => Promise<void>;
  ready: () => Promise<void>;
}

export interface SampleService {
  http: HttpListener;
  behaviour: Behaviour;
  identities: TestIdentities;
  /** Everything it logged, as records. */
  logged(): { level: number; msg: string; request_id?: string; err?: { message: string } }[];
  /** The headers with which a gateway would forward a request. */
  headersFor(request: { method: string; url: string }, as?: Partial<Identity>): Promise<Record<string, string>>;
  fetch(path: string, options?: RequestInit & { as?: Partial<Identity> | null }): Promise<Response>;
  close(): Promise<void>;
}

/** A service with three operations over real HTTP. */
export async function startSampleService(): Promise<SampleService> {
  const identities = await createTestIdentities();
  const { keys } = JSON.parse(await readFile(identities.jwksFile, 'utf8')) as { keys: [] };
  const { keys: requestKeys } = JSON.parse(await readFile(identities.requestKeysFile, 'utf8')) as { keys: [] };
  const lines: string[] = [];
  const behaviour = plainBehaviour();
  const app = operationsApp({
    operations: [
      handle(echo, (call) => behaviour.echo(call)),
      handle(read, (call) => behaviour.read(call)),
      stream(feed, (call, emit) => behaviour.feed(call, emit)),
      socket(live),
    ],
    requests: createRequestVerifier({
      service: 'keys',
      keys: requestKeysOf(requestKeys, 'keys'),
      tokens: await createTokenVerifier(keys),
    }),
    logger: collectingLogger(lines),
    changes: { record: (_change, work) => work() },
    ready: () => behaviour.ready(),
  });
  const http = await listenHttp(app, { host: '127.0.0.1', port: 0 });
  const headersFor: SampleService['headersFor'] = (request, as = {}) =>
    identities.headersFor(testIdentity(as), { service: 'keys', ...request });
  return {
    http,
    behaviour,
    identities,
    headersFor,
    logged: () => lines.map((line) => JSON.parse(line) as ReturnType<SampleService['logged']>[number]),
    async fetch(path, { as = {}, ...options } = {}) {
      const { method = 'GET' } = options;
      const identity = as === null ? {} : await headersFor({ method, url: path }, as);
      const headers = { ...identity, ...(options.headers as Record<string, string> | undefined) };
      return fetch(`${http.url}${path}`, { ...options, headers });
    },
    async close() {
      await http.close();
      await identities.remove();
    },
  };
}

export function plainBehaviour(): Behaviour {
  return {
    echo: async ({ body }) => ({ body: { text: body.text } }),
    read: async ({ params }) => ({ body: { sample_id: params.sample_id } }),
    feed: async (_call, emit) => {
      await emit('item', { n: 0, fill: '' });
      await emit('done', {});
    },
    ready: async () => undefined,
  };
}

export function collectingLogger(lines: string[]): Logger {
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return pino({ level: 'trace' }, sink);
}

export const SAMPLES: readonly Operation[] = [echo, read, feed, live];
