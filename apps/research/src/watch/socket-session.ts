import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Identity } from '@cairn/identity';
import { lockRun, releaseRun } from '../ledger/run-store.ts';
import type { WebSocket } from 'ws';
import { cancelRun } from '../runs/cancel-run.ts';
import { openQuestionOf } from '../runs/open-question.ts';
import { announceRun } from '../runs/announce-run.ts';
import { findRecord } from '../runs/run-record.ts';
import { storeAnswer } from '../runs/screen-run-texts.ts';
import { queuedEvent } from '../runs/start-run.ts';
import { readClientMessage, type ClientMessage } from './client-message.ts';
import { followRun } from './follow-run.ts';
import { eventPresenter } from './present-event.ts';
import type { WatchDeps } from './stream-run.ts';

const HELLO_WAIT_MS = 500;
const PING_EVERY_MS = 15_000;
/** Backpressure: above this the session waits for the client. */
const BUFFERED_MAX_BYTES = 1_048_576;
const MESSAGES_PER_SECOND_MAX = 20;
const NORMAL_CLOSURE = 1000;
const POLICY_VIOLATION = 1008;

interface SocketSession {
  socket: WebSocket;
  identity: Identity;
  threadId: string;
  /** The last event that the client has, if its URL says so; otherwise its first message may. */
  lastSeq: number | null;
}

/**
 * Serves one watcher of a run. The first connection releases a held run; each sees the log from its own position. A
 * lost connection does not affect the run. Resolves when the connection is over, and never rejects.
 */
export async function serveSocket(
  deps: WatchDeps & { onError: (error: unknown) => void },
  session: SocketSession,
): Promise<void> {
  const { socket, threadId, identity } = session;
  const disconnected = new AbortController();
  let lastSeq = session.lastSeq ?? 0;
  const helloReceived = Promise.withResolvers<void>();
  socket.on('error', () => undefined);
  socket.on('close', () => disconnected.abort());
  const stopHeartbeat = startHeartbeat(socket);
  const rate = { second: 0, count: 0 };
  socket.on('message', (bytes, isBinary) => {
    const second = Math.floor(performance.now() / 1_000);
    rate.count = rate.second === second ? rate.count + 1 : 1;
    rate.second = second;
    if (rate.count > MESSAGES_PER_SECOND_MAX) return socket.close(POLICY_VIOLATION, 'too many messages');
    const message = isBinary ? ({ error: 'malformed_json' } as const) : readClientMessage((bytes as Buffer).toString());
    if ('type' in message && message.type === 'hello') {
      lastSeq = Math.max(lastSeq, message.last_seq);
      helloReceived.resolve();
      return;
    }
    handleMessage(deps, session, message).then(
      (reply) => send(socket, reply),
      (error: unknown) => {
        deps.onError(error);
        send(socket, { type: 'error', code: 'internal' });
      },
    );
  });
  try {
    await releaseHeldRun(deps, session);
    if (session.lastSeq === null)
      await Promise.race([helloReceived.promise, sleep(HELLO_WAIT_MS), once(socket, 'close')]);
    const present = await eventPresenter(deps, identity.tenantId, { threadId, credentialId: identity.credentialId });
    const run = { tenantId: identity.tenantId, runId: threadId, afterSeq: () => lastSeq };
    for await (const event of followRun(deps, run, disconnected.signal)) {
      send(socket, await present(event));
      while (socket.bufferedAmount > BUFFERED_MAX_BYTES && !disconnected.signal.aborted) await sleep(20);
    }
    socket.close(NORMAL_CLOSURE, 'the run has ended');
  } catch (error) {
    if (!disconnected.signal.aborted) {
      deps.onError(error);
      // 1011 makes the client reconnect and resume from its position.
      socket.close(1011, 'try again');
    }
  } finally {
    stopHeartbeat();
  }
}

/** Releases a held run on its first connection. */
async function releaseHeldRun(deps: WatchDeps, { identity, threadId }: SocketSession): Promise<void> {
  await deps.database.withTenant(identity.tenantId, async (tx) => {
    const run = await lockRun(tx, threadId);
    if (run?.status !== 'held') return;
    const record = await findRecord(tx, threadId);
    if (record === null) return;
    if (await releaseRun(tx, run, [queuedEvent(record)])) await announceRun(tx, record, 'queued');
  });
}

/** Executes a client message. Returns the reply, if any. */
async function handleMessage(
  deps: WatchDeps,
  { identity, threadId }: SocketSession,
  message: ClientMessage | { error: string },
): Promise<Record<string, unknown> | null> {
  if ('error' in message) return { type: 'error', code: message.error };
  switch (message.type) {
    case 'ping':
      return { type: 'pong' };
    case 'cancel':
      await deps.database.withTenant(identity.tenantId, async (tx) => {
        const run = await lockRun(tx, threadId);
        if (run !== null) await cancelRun(tx, run);
      });
      return null;
    case 'clarification.answer': {
      const accepted = await deps.database.withTenant(identity.tenantId, async (tx) => {
        const run = await lockRun(tx, threadId);
        const question = await openQuestionOf(tx, threadId);
        if (question?.question_id !== message.question_id) return false;
        return storeAnswer(tx, run, { threadId, questionId: message.question_id, answer: message.answer });
      });
      return accepted ? null : { type: 'error', code: 'conflict' };
    }
    case 'hello':
      return null;
  }
}

function send(socket: WebSocket, value: object | null): void {
  if (value !== null && socket.readyState === socket.OPEN) socket.send(JSON.stringify(value));
}

/** Terminates connections whose peer is gone silently. */
function startHeartbeat(socket: WebSocket): () => void {
  let alive = true;
  socket.on('pong', () => {
    alive = true;
  });
  const timer = setInterval(() => {
    if (!alive) return socket.terminate();
    alive = false;
    socket.ping();
  }, PING_EVERY_MS);
  return () => clearInterval(timer);
}
