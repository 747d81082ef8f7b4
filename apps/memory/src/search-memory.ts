import type { searchMemory, streamSearch } from '@cairn/contracts';
import type { Call, Emit, JsonAnswer } from '@cairn/service-kit';
import { runSearch } from './search/run-search.ts';
import { renumbered } from './search/renumber.ts';
import type { SearchParts } from './search/search-parts.ts';

/** The search, answered as one JSON body; its citations are numbered as the answer uses them. */
export async function answerSearch(
  parts: SearchParts,
  call: Call<typeof searchMemory>,
): Promise<JsonAnswer<typeof searchMemory>> {
  const search = runSearch(parts, call, call.body);
  for (;;) {
    const step = await search.next();
    if (step.done === true) return { body: renumbered(step.value) };
  }
}

/** The same search as events: the sources before the first token, then the answer's words, then all of it. */
export async function streamAnswer(
  parts: SearchParts,
  call: Call<typeof streamSearch>,
  emit: Emit<typeof streamSearch>,
): Promise<void> {
  const search = runSearch(parts, call, call.body);
  try {
    for (;;) {
      const step = await search.next();
      if (step.done === true) {
        const { results: _results, entities: _entities, timing_ms: _timing, ...told } = step.value;
        return await emit('done', told);
      }
      if (step.value.kind === 'sources') await emit('sources', { citations: step.value.citations });
      else await emit('token', { text: step.value.text });
    }
  } finally {
    // A client that went away ends the generator, and with it the model's stream.
    await search.return(undefined as never);
  }
}
