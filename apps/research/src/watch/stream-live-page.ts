import type * as operations from '@cairn/contracts';
import type { RequestContext, StreamContext } from '@cairn/service-kit';
import { type EmitEvent, streamRun, type WatchDeps } from './stream-run.ts';

/** Streams the events that a live page shows, admitted by the ticket in its address. */
export function streamLivePage(
  deps: WatchDeps,
  request: RequestContext<typeof operations.streamLivePage> & StreamContext,
  emit: EmitEvent,
): Promise<void> {
  return streamRun(deps, request, emit);
}
