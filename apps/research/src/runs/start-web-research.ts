import type * as operations from '@cairn/contracts';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { readOptions } from './read-options.ts';
import { startAgent } from './start-agent.ts';
import type { StartDeps } from './start-run.ts';

/** Prepares web research; the run starts when its first WebSocket connects. */
export async function startWebResearch(
  deps: StartDeps,
  request: RequestContext<typeof operations.startWebResearch>,
): Promise<JsonResponse<typeof operations.startWebResearch>> {
  const options = await readOptions(deps, request, request.body);
  return startAgent(deps, request, { kind: 'web', livePage: request.body.live_url, options });
}
