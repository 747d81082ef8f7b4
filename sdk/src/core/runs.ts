import { allCalls } from './calls.ts';
import { CairnError, ConnectionError } from './errors.ts';
import { invoke } from './invoke.ts';
import type { EventStream, FollowOptions, RequestOptions } from './shapes.ts';
import { sleep, type Transport } from './transport.ts';
import type { RunStatus, RunEvent } from '../gen/schemas.ts';

const LAST = new Set(['run.completed', 'run.failed', 'run.cancelled', 'run.expired']);
const RECONNECT_FIRST_MS = 250;
const RECONNECT_MAX_MS = 10_000;
/** Connections in a row that bring nothing, after which the run is given up. */
const RECONNECTS_MAX = 8;

/** Follows a run to its last event; a connection that breaks off is opened again after the last event that was seen. */
export async function* followRun(
  transport: Transport,
  threadId: string,
  { after = 0, ...options }: FollowOptions = {},
): AsyncGenerator<RunEvent> {
  let seen = after;
  for (let failures = 0; ;) {
    const before = seen;
    try {
      const stream = invoke(
        transport,
        allCalls().get('runs.stream')!,
        [threadId, { last_event_id: seen }, options],
        {},
      );
      for await (const event of stream as EventStream<unknown> & AsyncIterable<RunEvent>) {
        if (event.seq <= seen) continue;
        seen = event.seq;
        yield event;
        if (LAST.has(event.type)) return;
      }
    } catch (error) {
      // What is refused stays refused; what broke off is opened again.
      const broken = error instanceof ConnectionError || (error instanceof CairnError && error.status >= 500);
      if (!broken || failures >= RECONNECTS_MAX) throw error;
    }
    failures = seen > before ? 0 : failures + 1;
    // A stream that was ended by the server's time limit is simply opened again.
    if (failures > RECONNECTS_MAX) throw new ConnectionError(`The events of ${threadId} broke off after ${seen}.`);
    await sleep(Math.min(RECONNECT_FIRST_MS * 2 ** failures, RECONNECT_MAX_MS), options.signal);
  }
}

/** How the run stands once it has ended; a question on the way stays unanswered until its default is taken. */
export async function waitForRun(
  transport: Transport,
  threadId: string,
  options: RequestOptions = {},
): Promise<RunStatus> {
  for await (const event of followRun(transport, threadId, options)) if (LAST.has(event.type)) break;
  return invoke(transport, allCalls().get('runs.status')!, [threadId, options], {}) as Promise<RunStatus>;
}
