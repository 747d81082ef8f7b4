import type * as operations from '@cairn/contracts';
import type { RequestContext, StreamContext } from '@cairn/service-kit';
import { type EmitEvent, streamRun, type WatchDeps } from './stream-run.ts';

/** Streams the events of a run. */
export function streamResearch(
  deps: WatchDeps,
  request: RequestContext<typeof operations.streamResearch> & StreamContext,
  emit: EmitEvent,
): Promise<void> {
  return streamRun(deps, request, emit);
}
