import type * as operations from '@cairn/contracts';
import type { RequestContext } from '@cairn/service-kit';
import type { WebOptions } from '../analysis/web-options.ts';
import { listNameOf } from './list-name.ts';
import { startRun, type StartDeps } from './start-run.ts';
import { socketUrl } from './tickets.ts';

/** Prepares a web or crawler run; it starts when its first WebSocket connects, unless it is to start now. */
export async function startAgent(
  deps: StartDeps,
  request: RequestContext<typeof operations.startWebResearch> | RequestContext<typeof operations.startCrawler>,
  { kind, livePage, options }: { kind: 'web' | 'crawler'; livePage: boolean; options: WebOptions },
) {
  const { prompt, llm_model, proxy, start, memory_id, user } = request.body;
  const held = start !== 'now';
  return startRun(
    deps,
    request,
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
      held,
      list: { name: listNameOf(prompt), description: '', type: 'web' },
      totalTarget: null,
      options,
    },
    async (started) => ({
      success: true,
      message: held ? 'Connect to websocket_url to start the run.' : 'The run has started.',
      thread_id: started.threadId,
      list_id: started.listId ?? '',
      websocket_url: await socketUrl(deps, started, held),
      status: held ? ('awaiting_connection' as const) : ('queued' as const),
    }),
  );
}
