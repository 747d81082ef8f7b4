import type * as operations from '@cairn/contracts';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { startRun, type StartDeps } from './start-run.ts';
import { readOptions } from './read-options.ts';

/** Starts deep research at once. The brief and the report arrive with its events and its status. */
export async function startResearch(
  deps: StartDeps,
  request: RequestContext<typeof operations.startResearch>,
): Promise<JsonResponse<typeof operations.startResearch>> {
  const { query, allow_clarification, serviceId, llm_model, memory_id, config, user } = request.body;
  const options = await readOptions(deps, request, { prompt: query, config });
  return startRun(
    deps,
    request,
    {
      kind: 'research',
      operation: 'startResearch',
      prompt: query,
      memoryId: memory_id,
      model: llm_model,
      proxy: false,
      livePage: false,
      user,
      serviceId: serviceId ?? '',
      charge: 'research.run',
      held: false,
      list: null,
      totalTarget: null,
      options: { ...options, allow_clarification },
    },
    (started) =>
      Promise.resolve({
        thread_id: started.threadId,
        status: 'queued' as const,
        message: `Follow the run at /research/stream/${started.threadId}.`,
        research_brief: '',
        final_report: '',
      }),
  );
}
