import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Identity } from '@cairn/identity';
import { lockRun, releaseRun } from '@cairn/ledger';
import type { WebSocket } from 'ws';
import { cancelRun } from '../runs/change-runs.ts';
import { openQuestionOf } from '../runs/open-question.ts';
import { findRecord } from '../runs/run-record.ts';
import { keepAnswer } from '../runs/screened.ts';
import { queuedEvent } from '../runs/start-run.ts';
import { readClientMessage, type ClientMessage } from './client-message.ts';
import { followRun } from './follow-run.ts';
import { eventPresenter } from './present-event.ts';
import type { WatchParts } from './stream-run.ts';

const HELLO_WAIT_MS = 500;
const PING_EVERY_MS = 15_000;
/** A client that reads slower than its run tells is waited for from here on. */
const BUFFERED_MAX_BYTES = 1_048_576;
const MESSAGES_PER_SECOND_MAX = 20;
const NORMAL_CLOSURE = 1000;
const POLICY_VIOLATION = 1008;

export interface SocketSession {
  socket: WebSocket;
  identity: Identity;
  threadId: string;
  /** What the client has already, when its address says so; else its first message may. */
  lastSeq: number | null;
}

/**
 * One watcher of a run: the first to connect starts it, everyone sees the log from where they were. Losing the
 * connection changes nothing for the run. Settles when the connection is over; never rejects.
 */
export async function serveSocket(
  parts: WatchParts & { onError: (error: unknown) => void },
  session: SocketSession,
): Promise<void> {
  const { socket, threadId, identity } = session;
  const gone = new AbortController();
  let lastSeq = session.lastSeq ?? 0;
  const heard = Promise.withResolvers<void>();
  socket.on('error', () => undefined);
  socket.on('close', () => gone.abort());
  const stopBeating = beat(socket);
  const rate = { second: 0, count: 0 };
  socket.on('message', (bytes, isBinary) => {
    const second = Math.floor(performance.now() / 1_000);
    rate.count = rate.second === second ? rate.count + 1 : 1;
    rate.second = second;
    if (rate.count > MESSAGES_PER_SECOND_MAX) return socket.close(POLICY_VIOLATION, 'too many messages');
    const message = isBinary ? ({ error: 'malformed_json' } as const) : readClientMessage((bytes as Buffer).toString());
    if ('type' in message && message.type === 'hello') {
      lastSeq = Math.max(lastSeq, message.last_seq);
      heard.resolve();
      return;
    }
    obey(parts, session, message).then(
      (answer) => send(socket, answer),
      (error: unknown) => {
        parts.onError(error);
        send(socket, { type: 'error', code: 'internal' });
      },
    );
  });
  try {
    await release(parts, session);
    if (session.lastSeq === null) await Promise.race([heard.promise, sleep(HELLO_WAIT_MS), once(socket, 'close')]);
    const present = await eventPresenter(parts, identity.tenantId, { threadId, credentialId: identity.credentialId });
    const run = { tenantId: identity.tenantId, runId: threadId, afterSeq: () => lastSeq };
    for await (const event of followRun(parts, run, gone.signal)) {
      send(socket, await present(event));
      while (socket.bufferedAmount > BUFFERED_MAX_BYTES && !gone.signal.aborted) await sleep(20);
    }
    socket.close(NORMAL_CLOSURE, 'the run has ended');
  } catch (error) {
    if (!gone.signal.aborted) {
      parts.onError(error);
      // 1011: the client may come back and go on from where it was.
      socket.close(1011, 'try again');
    }
  } finally {
    stopBeating();
  }
}

/** The first connection is what a prepared run waits for. */
async function release(parts: WatchParts, { identity, threadId }: SocketSession): Promise<void> {
  await parts.database.withTenant(identity.tenantId, async (tx) => {
    const run = await lockRun(tx, threadId);
    if (run?.status !== 'held') return;
    const record = await findRecord(tx, threadId);
    if (record !== null) await releaseRun(tx, run, [queuedEvent(record)]);
  });
}

/** Does what the client says; gives what it is answered, if anything. */
async function obey(
  parts: WatchParts,
  { identity, threadId }: SocketSession,
  message: ClientMessage | { error: string },
): Promise<Record<string, unknown> | null> {
  if ('error' in message) return { type: 'error', code: message.error };
  switch (message.type) {
    case 'ping':
      return { type: 'pong' };
    case 'cancel':
      await parts.database.withTenant(identity.tenantId, async (tx) => {
        const run = await lockRun(tx, threadId);
        if (run !== null) await cancelRun(tx, run);
      });
      return null;
    case 'clarification.answer': {
      const taken = await parts.database.withTenant(identity.tenantId, async (tx) => {
        const run = await lockRun(tx, threadId);
        const question = await openQuestionOf(tx, threadId);
        if (question?.question_id !== message.question_id) return false;
        return keepAnswer(tx, run, { threadId, questionId: message.question_id, answer: message.answer });
      });
      return taken ? null : { type: 'error', code: 'conflict' };
    }
    case 'hello':
      return null;
  }
}

function send(socket: WebSocket, value: object | null): void {
  if (value !== null && socket.readyState === socket.OPEN) socket.send(JSON.stringify(value));
}

/** Ends connections whose other end is gone without a word. */
function beat(socket: WebSocket): () => void {
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
