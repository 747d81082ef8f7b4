import type { Identity } from '@cairn/identity';
import type { StartedService } from '@cairn/service-kit';
import {
  brokerAt,
  callService,
  connectSuperuser,
  createTestDatabase,
  createTestIdentities,
  eventually,
  type ServiceResponse,
  serviceSettings,
  type TestDatabase,
  type TestIdentities,
  testIdentity,
  NO_TELEMETRY,
} from '@cairn/testing';
import pino from 'pino';
import { WebSocket } from 'ws';
import type { Config } from '../src/config.ts';
import { MIGRATIONS } from '../src/migrate.ts';
import { startResearchService } from '../src/service.ts';
import { type StubServices, startStubServices } from './stub-services.ts';

const SETTLED_MS = 120_000;

// The specs read bodies of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
export type ApiResponse = ServiceResponse<any>;

export interface RunEvent {
  seq: number;
  type: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

export interface ResearchHarness {
  database: TestDatabase;
  identities: TestIdentities;
  stubs: StubServices;
  config: Config;
  http: string;
  grpc: string;
  caller: Identity;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiResponse>;
  /** Connects as the gateway forwards it: by the path of the URL alone. */
  connect(url: string, options?: { as?: Identity; origin?: string; lastSeq?: number }): Promise<WebSocket>;
  /** Waits for one of the statuses and returns the run's status. */
  until(threadId: string, ...statuses: string[]): Promise<ApiResponse['body']>;
  events(threadId: string): Promise<RunEvent[]>;
  ask<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface CallOptions {
  as?: Identity;
  headers?: Record<string, string>;
}

/** Starts the research service on a database of its own, with stubs of the services it calls. */
export async function startResearchHarness(changes: Partial<Config> = {}): Promise<ResearchHarness> {
  const [database, identities] = await Promise.all([
    createTestDatabase({ service: 'research', migrations: MIGRATIONS }),
    createTestIdentities(),
  ]);
  const stubs = await startStubServices(identities);
  const config: Config = {
    ...serviceSettings('research', database, identities),
    databasePoolMax: 10,
    ...brokerAt('nats://127.0.0.1:1'),
    logLevel: 'silent',
    publishedKeepHours: 24,
    ...NO_TELEMETRY,
    tenancyGrpc: stubs.address,
    memoryGrpc: stubs.address,
    usageGrpc: stubs.address,
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
  const superuser = await connectSuperuser(database, 'research');
  const fresh = (as: Identity) => ({ ...as, admitUntilMs: Date.now() + 60_000 });
  const call: ResearchHarness['call'] = (method, path, body, { as = caller, headers = {} } = {}) =>
    callService(identities, fresh(as), { service: 'research', url: http, method, path, body, headers });
  return {
    database,
    identities,
    stubs,
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
        headers: await identities.headersFor(fresh(as), { service: 'research', url: target }),
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
    events: (threadId) =>
      superuser.ask<RunEvent>('SELECT seq, type, data FROM run_events WHERE run_id = $1 ORDER BY seq', [threadId]),
    ask: superuser.ask,
    async close() {
      await superuser.close();
      await service.close();
      await stubs.close();
      await Promise.all([database.close(), identities.remove()]);
    },
  };
}

/** All messages of the socket until it is closed. */
export function messagesOf(socket: WebSocket): Promise<{ messages: RunEvent[]; code: number }> {
  const messages: RunEvent[] = [];
  socket.on('message', (bytes) => messages.push(JSON.parse((bytes as Buffer).toString()) as RunEvent));
  return new Promise((resolve, reject) => {
    socket.once('close', (code) => resolve({ messages, code }));
    socket.once('error', reject);
  });
}

/** The HTTP status of a refused upgrade; 101 when it was accepted. */
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
