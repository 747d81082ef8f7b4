import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { connectRun } from '@cairn/contracts';
import { CairnError, notFound, problemHeaders, toProblem } from '@cairn/errors';
import { type Identity, missingPermission, type RequestVerifier } from '@cairn/identity';
import { findRun } from '../ledger/run-store.ts';
import {
  authenticateRequest,
  createTenantShares,
  type Running,
  type TenantShares,
  validateRequest,
} from '@cairn/service-kit';
import { WebSocketServer } from 'ws';
import { checkTicket, redeemTicket } from '../runs/tickets.ts';
import { pageMayConnect } from './page-may-connect.ts';
import { serveSocket } from './socket-session.ts';
import type { WatchDeps } from './stream-run.ts';

const MESSAGE_MAX_BYTES = 65_536;
/** Of all tenants; one holds at most as many as are left. */
const SOCKETS_MAX = 10_000;
const GOING_AWAY = 1001;
const [PATH_START = '', PATH_END = ''] = connectRun.path.split('{thread_id}');
/** Ids consist of letters, digits and `_`, so nothing in them is percent-encoded. */
const THREAD_ID = /^[\w-]{1,128}$/;

interface UpgradeDeps extends WatchDeps {
  requests: RequestVerifier;
  /** Origins whose pages may connect. Programs send no origin. */
  allowedOrigins: readonly string[];
  onError: (error: unknown) => void;
}

/** Accepts WebSocket upgrades for runs. A refused client receives an HTTP error. */
export function acceptUpgrades(server: Server, deps: UpgradeDeps): Running {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX_BYTES, perMessageDeflate: false });
  const sessions = new Set<Promise<void>>();
  const shares = createTenantShares(SOCKETS_MAX, 'Too many open streams. Close some of them.');
  const origins = new Set([new URL(deps.baseUrl).origin, ...deps.allowedOrigins]);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined);
    admit({ ...deps, origins, shares }, request, socket).then(
      (admitted) => {
        sockets.handleUpgrade(request, socket, head, (webSocket) => {
          const session = serveSocket(deps, { socket: webSocket, ...admitted }).finally(() => sessions.delete(session));
          sessions.add(session);
        });
      },
      (error: unknown) => {
        if (!(error instanceof CairnError)) deps.onError(error);
        refuse(request, socket, error);
      },
    );
  });
  return {
    async close() {
      for (const client of sockets.clients) client.close(GOING_AWAY, 'the service restarts');
      await Promise.race([Promise.all(sessions), new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
      for (const client of sockets.clients) client.terminate();
    },
  };
}

interface Admitted {
  identity: Identity;
  threadId: string;
  lastSeq: number | null;
}

interface Admission extends UpgradeDeps {
  origins: ReadonlySet<string>;
  shares: TenantShares;
}

async function admit(deps: Admission, request: IncomingMessage, socket: Duplex): Promise<Admitted> {
  const identity = await identityOf(deps, request);
  // Before a ticket is redeemed, and until the connection ends.
  const release = deps.shares.reserve(identity.tenantId, 1);
  if (socket.destroyed) release();
  else socket.once('close', release);
  const url = new URL(request.url ?? '/', 'http://service');
  const named = threadIdIn(url.pathname);
  if (named === null) throw notFound('The operation');
  if (!pageMayConnect(request.headers, deps.origins))
    throw new CairnError('permission_denied', 'Pages of this origin may not connect here.');
  const { params, query } = validateRequest(connectRun, {
    params: { thread_id: named },
    query: Object.fromEntries(url.searchParams),
    body: {},
  }) as { params: { thread_id: string }; query: { ticket?: string; last_seq?: number } };
  const threadId = params.thread_id;
  const { tenantId, credentialId } = identity;
  const ticket =
    query.ticket === undefined
      ? null
      : await checkTicket(deps, query.ticket, { threadId, credentialId, use: 'socket' });
  const run = await deps.database.withTenant(tenantId, (tx) => findRun(tx, threadId));
  if (run === null) throw notFound('The run');
  if (ticket !== null) await redeemTicket(deps.database, tenantId, ticket);
  return { identity, threadId, lastSeq: query.last_seq ?? null };
}

function threadIdIn(path: string): string | null {
  if (!path.startsWith(PATH_START) || !path.endsWith(PATH_END)) return null;
  const threadId = path.slice(PATH_START.length, path.length - PATH_END.length);
  return THREAD_ID.test(threadId) ? threadId : null;
}

async function identityOf(deps: UpgradeDeps, request: IncomingMessage): Promise<Identity> {
  const { caller } = await authenticateRequest(request, deps.requests);
  if (caller.kind !== 'tenant') throw new CairnError('identity_invalid', 'The request carries no valid identity.');
  const missing = missingPermission(caller.identity, connectRun);
  if (missing !== null) throw new CairnError('permission_denied', `The key lacks ${missing}.`);
  if (caller.identity.memoryId !== null)
    throw new CairnError('memory_not_permitted', 'The key reaches one memory only.');
  return caller.identity;
}

function refuse(request: IncomingMessage, socket: Duplex, error: unknown): void {
  const requestId = request.headers['x-request-id'];
  const problem = toProblem(error, typeof requestId === 'string' ? requestId : '');
  const body = JSON.stringify(problem);
  const headers = Object.entries({
    ...problemHeaders(error),
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  });
  const lines = headers.map(([name, value]) => `${name}: ${String(value)}\r\n`).join('');
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines}\r\n${body}`);
}
