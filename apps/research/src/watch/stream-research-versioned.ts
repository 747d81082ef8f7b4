import type * as operations from '@cairn/contracts';
import type { RequestContext, StreamContext } from '@cairn/service-kit';
import { type EmitEvent, streamRun, type WatchDeps } from './stream-run.ts';

/** The same stream under its versioned address. */
export function streamResearchVersioned(
  deps: WatchDeps,
  request: RequestContext<typeof operations.streamResearchVersioned> & StreamContext,
  emit: EmitEvent,
): Promise<void> {
  return streamRun(deps, request, emit);
}
