import type { AnswerOf, startCompanySearch, startPeopleSearch } from '@cairn/contracts';
import type { Call } from '@cairn/service-kit';
import { listNameOf } from './list-name.ts';
import { startRun, type StartParts } from './start-run.ts';
import { readOptions } from './read-options.ts';
import type { SearchMode } from './web-options.ts';

const DEFAULT_TARGET: Readonly<Record<SearchMode, number>> = { fast: 10, standard: 25, deep: 100 };

/** Starts a search whose list goes on growing until its target is reached or nobody else is found. */
export async function startListSearch(
  parts: StartParts,
  call: Call<typeof startPeopleSearch> | Call<typeof startCompanySearch>,
  kind: 'people' | 'company',
): Promise<{ body: AnswerOf<typeof startPeopleSearch>; replayed: boolean }> {
  const { prompt, list_name, list_description, search_mode, total_target, llm_model, memory_id, user } = call.body;
  const options = await readOptions(parts, call, call.body);
  return startRun(
    parts,
    call,
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
