import type { startResearch } from '@cairn/contracts';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { startRun, type StartParts } from './start-run.ts';
import { readOptions } from './read-options.ts';

/** Starts deep research at once; the brief and the report come with its events and its status. */
export async function startResearchRun(
  parts: StartParts,
  call: Call<typeof startResearch>,
): Promise<JsonAnswer<typeof startResearch>> {
  const { query, allow_clarification, serviceId, llm_model, memory_id, config, user } = call.body;
  const options = await readOptions(parts, call, { prompt: query, config });
  return startRun(
    parts,
    call,
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
