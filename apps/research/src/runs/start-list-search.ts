import type * as operations from '@cairn/contracts';
import type { RequestContext } from '@cairn/service-kit';
import { listNameOf } from './list-name.ts';
import { startRun, type StartDeps } from './start-run.ts';
import { readOptions } from './read-options.ts';
import type { SearchMode } from '../analysis/web-options.ts';

const DEFAULT_TARGET: Readonly<Record<SearchMode, number>> = { fast: 10, standard: 25, deep: 100 };

/** Starts a search that adds rows to a list until its target is reached or no candidates are left. */
export async function startListSearch(
  deps: StartDeps,
  request: RequestContext<typeof operations.startPeopleSearch> | RequestContext<typeof operations.startCompanySearch>,
  kind: 'people' | 'company',
): Promise<{ body: operations.ResponseOf<typeof operations.startPeopleSearch>; replayed: boolean }> {
  const { prompt, list_name, list_description, search_mode, total_target, llm_model, memory_id, user } = request.body;
  const options = await readOptions(deps, request, request.body);
  return startRun(
    deps,
    request,
    {
      kind,
      operation: kind === 'people' ? 'startPeopleSearch' : 'startCompanySearch',
      prompt,
      memoryId: memory_id,
      model: llm_model,
      proxy: false,
      livePage: false,
      user,
      serviceId: '',
      charge: 'list.build',
      held: false,
      list: { name: list_name ?? listNameOf(prompt), description: list_description ?? '', type: kind },
      totalTarget: total_target ?? DEFAULT_TARGET[search_mode],
      options: { ...options, search_mode },
    },
    (started) =>
      Promise.resolve({
        success: true,
        message: 'The search has started.',
        thread_id: started.threadId,
        status: 'queued' as const,
      }),
  );
}
