import type { startCrawler, startWebResearch } from '@cairn/contracts';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { socketUrl } from '../tickets.ts';
import { listNameOf } from './list-name.ts';
import { startRun, type StartParts } from './start-run.ts';
import { readOptions } from './read-options.ts';
import { bounded, type WebOptions } from './web-options.ts';

/** Prepares web and research; it runs when its WebSocket connects. */
export async function startWebRun(
  parts: StartParts,
  call: Call<typeof startWebResearch>,
): Promise<JsonAnswer<typeof startWebResearch>> {
  const options = await readOptions(parts, call, call.body);
  return startAgent(parts, call, { kind: 'web', livePage: call.body.live_url, options });
}

/** Prepares a crawl of the sites that the prompt or the configuration names. */
export async function startCrawlRun(
  parts: StartParts,
  call: Call<typeof startCrawler>,
): Promise<JsonAnswer<typeof startCrawler>> {
  const options = await readOptions(parts, call, call.body);
  const { seeds, sources } = options;
  bounded(
    seeds.length > 0 || !sources.includes('web'),
    'prompt',
    'names no site to crawl; write its address, or give config.seeds',
  );
  return startAgent(parts, call, { kind: 'crawler', livePage: false, options });
}

async function startAgent(
  parts: StartParts,
  call: Call<typeof startWebResearch> | Call<typeof startCrawler>,
  { kind, livePage, options }: { kind: 'web' | 'crawler'; livePage: boolean; options: WebOptions },
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
      options,
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
