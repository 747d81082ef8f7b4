import type { Identity } from '@cairn/identity';
import type { StartedService } from '@cairn/service-kit';
import {
  createTestDatabase,
  createTestIdentities,
  eventually,
  type TestDatabase,
  type TestIdentities,
  testIdentity,
} from '@cairn/testing';
import pg from 'pg';
import pino from 'pino';
import { WebSocket } from 'ws';
import type { Config } from '../src/config.ts';
import { MIGRATIONS } from '../src/migrate.ts';
import { startResearchService } from '../src/service.ts';
import { type Neighbours, startNeighbours } from './neighbours.ts';

const ANY_PORT = { host: '127.0.0.1', port: 0 };
const SETTLED_MS = 60_000;

export interface Answer {
  status: number;
  headers: Headers;
  // The specs look into bodies of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface RunEvent {
  seq: number;
  type: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

export interface RunningResearch {
  database: TestDatabase;
  identities: TestIdentities;
  neighbours: Neighbours;
  config: Config;
  http: string;
  grpc: string;
  caller: Identity;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Connects as the gateway would forward it: the address of the answer, its path alone. */
  connect(url: string, options?: { as?: Identity; origin?: string; lastSeq?: number }): Promise<WebSocket>;
  /** The status once it is one of these. */
  until(threadId: string, ...statuses: string[]): Promise<Answer['body']>;
  events(threadId: string): Promise<RunEvent[]>;
  ask<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface CallOptions {
  as?: Identity;
  headers?: Record<string, string>;
}

/** The research service over a database of its own, before stand-ins of the parts that it asks. */
export async function runResearch(changes: Partial<Config> = {}): Promise<RunningResearch> {
  const [database, identities] = await Promise.all([
    createTestDatabase({ service: 'research', migrations: MIGRATIONS }),
    createTestIdentities(),
  ]);
  const neighbours = await startNeighbours(identities);
  const config: Config = {
    httpListen: ANY_PORT,
    grpcListen: ANY_PORT,
    databaseUrl: database.url,
    databaseWorkerUrl: database.workerUrl,
    databasePoolMax: 10,
    natsUrl: 'nats://127.0.0.1:1',
    signingKeyFile: identities.signingKeyFile('research'),
    jwksFile: identities.jwksFile,
    requestKeysFile: identities.requestKeysFile,
    logLevel: 'silent',
    loopStallMaxMs: 0,
    tenancyGrpc: neighbours.address,
    memoryGrpc: neighbours.address,
    usageGrpc: neighbours.address,
    baseUrl: 'https://cairn.example',
    allowedOrigins: [],
    runsMax: 20,
    workers: undefined,
    analysisTimeoutMs: 60_000,
    runsPerTenantMax: 20,
    runStallsMax: 3,
    uploadsKeepMs: 86_400_000,
    textsKeepMs: 86_400_000,
    connectWithinMs: 3_600_000,
    clarifyWithinMs: 600_000,
    modelsFile: undefined,
    modelCallTimeoutMs: 60_000,
    allowPrivateNetwork: false,
    outboundProxy: undefined,
    outboundNoProxy: [],
    outboundCertificatesFile: undefined,
    webProxy: undefined,
    webSearch: undefined,
    webSearchUrl: undefined,
    webSearchKey: undefined,
    crawlPauseMs: 0,
    ...changes,
  };
  const service: StartedService = await startResearchService(config, pino({ level: 'silent' }));
  const http = service.addresses.http!;
  const caller = testIdentity();
  const superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  await superuser.query('SET search_path TO research');
  const headersFor = (as: Identity, method: string, url: string) =>
    identities.headersFor({ ...as, admitUntilMs: Date.now() + 60_000 }, { service: 'research', method, url });
  const call: RunningResearch['call'] = async (method, path, body, { as = caller, headers = {} } = {}) => {
    const response = await fetch(http + path, {
      method,
      headers: {
        ...(await headersFor(as, method, path)),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  };
  return {
    database,
    identities,
    neighbours,
    config,
    http,
    grpc: service.addresses.grpc!,
    caller,
    call,
    async connect(url, { as = caller, origin, lastSeq } = {}) {
      const { pathname, search } = new URL(url);
      const resume = lastSeq === undefined ? '' : `${search === '' ? '?' : '&'}last_seq=${lastSeq}`;
      const target = `${pathname}${search}${resume}`;
      return new WebSocket(`${http.replace('http', 'ws')}${target}`, {
        headers: await headersFor(as, 'GET', target),
        ...(origin === undefined ? {} : { origin }),
      });
    },
    async until(threadId, ...statuses) {
      const path = `/api/v1/search/workflow/status/${threadId}`;
      const { body } = await eventually(
        () => call('GET', path),
        (answer) => statuses.includes(answer.body.status),
        SETTLED_MS,
      );
      return body;
    },
    events: async (threadId) =>
      (
        await superuser.query<RunEvent>('SELECT seq, type, data FROM run_events WHERE run_id = $1 ORDER BY seq', [
          threadId,
        ])
      ).rows,
    ask: async (sql, values = []) => (await superuser.query(sql, values)).rows,
    async close() {
      await superuser.end();
      await service.close();
      await neighbours.close();
      await Promise.all([database.close(), identities.remove()]);
    },
  };
}

/** What comes over the socket until it is closed. */
export function messagesOf(socket: WebSocket): Promise<{ messages: RunEvent[]; code: number }> {
  const messages: RunEvent[] = [];
  socket.on('message', (bytes) => messages.push(JSON.parse((bytes as Buffer).toString()) as RunEvent));
  return new Promise((resolve, reject) => {
    socket.once('close', (code) => resolve({ messages, code }));
    socket.once('error', reject);
  });
}

/** The status with which an upgrade is refused; 101 when it is not. */
export function upgradeStatus(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => {
    socket.once('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      response.resume();
      socket.terminate();
    });
    socket.once('open', () => resolve(101));
    socket.on('error', () => undefined);
  });
}
