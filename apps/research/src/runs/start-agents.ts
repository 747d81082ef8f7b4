import type { startCrawler, startWebResearch } from '@cairn/contracts';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { socketUrl } from '../tickets.ts';
import { listNameOf } from './list-name.ts';
import { startRun, type StartParts } from './start-run.ts';
import { bounded, webOptions } from './web-options.ts';

/** Prepares web and research; it runs when its WebSocket connects. */
export function startWebRun(
  parts: StartParts,
  call: Call<typeof startWebResearch>,
): Promise<JsonAnswer<typeof startWebResearch>> {
  return startAgent(parts, call, 'web', call.body.live_url);
}

/** Prepares a crawl of the sites that the prompt or the configuration names. */
export function startCrawlRun(
  parts: StartParts,
  call: Call<typeof startCrawler>,
): Promise<JsonAnswer<typeof startCrawler>> {
  const { seeds, sources } = webOptions(call.body);
  bounded(
    seeds.length > 0 || !sources.includes('web'),
    'prompt',
    'names no site to crawl; write its address, or give config.seeds',
  );
  return startAgent(parts, call, 'crawler', false);
}

async function startAgent(
  parts: StartParts,
  call: Call<typeof startWebResearch> | Call<typeof startCrawler>,
  kind: 'web' | 'crawler',
  livePage: boolean,
) {
  const { prompt, llm_model, proxy, memory_id, user } = call.body;
  return startRun(
    parts,
    call,
    {
      kind,
      operation: kind === 'web' ? 'startWebResearch' : 'startCrawler',
      prompt,
      memoryId: memory_id,
      model: llm_model,
      proxy,
      livePage,
      user,
      serviceId: '',
      charge: '',
      held: true,
      list: { name: listNameOf(prompt), description: '', type: 'web' },
      totalTarget: null,
      options: webOptions(call.body),
    },
    async (started) => ({
      success: true,
      message: 'Connect to websocket_url to start the run.',
      thread_id: started.threadId,
      list_id: started.listId ?? '',
      websocket_url: await socketUrl(parts, started, true),
      status: 'awaiting_connection' as const,
    }),
  );
}
