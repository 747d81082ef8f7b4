import { allCalls } from './calls.ts';
import { invoke } from './invoke.ts';
import { reconnecting } from './reconnect.ts';
import type { FollowOptions, RequestOptions } from './shapes.ts';
import type { Transport } from './transport.ts';
import type { RunStatus, RunEvent } from '../gen/schemas.ts';

const LAST = new Set(['run.completed', 'run.failed', 'run.cancelled', 'run.expired']);

/** Follows a run to its last event; a connection that breaks off is opened again after the last event that was seen. */
export function followRun(
  transport: Transport,
  threadId: string,
  { after = 0, ...options }: FollowOptions = {},
): AsyncGenerator<RunEvent> {
  let seen = after;
  return reconnecting<RunEvent>({
    open() {
      const given = [threadId, { last_event_id: seen }, options];
      return invoke(transport, allCalls().get('runs.stream')!, given, {}) as AsyncIterable<RunEvent>;
    },
    take(event) {
      if (event.seq <= seen) return 'repeated';
      seen = event.seq;
      return 'new';
    },
    isLast: (event) => LAST.has(event.type),
    brokeOff: () => `The events of ${threadId} broke off after ${seen}.`,
    signal: options.signal,
  });
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
