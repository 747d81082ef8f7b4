import type * as operations from '@cairn/contracts';
import type { RequestContext, Emit } from '@cairn/service-kit';
import { runSearch } from './run-search.ts';
import type { SearchDeps } from './search-deps.ts';

/** The same search as events: the sources before the first token, then the answer's words, then all of it. */
export async function streamSearch(
  deps: SearchDeps,
  context: RequestContext<typeof operations.streamSearch>,
  emit: Emit<typeof operations.streamSearch>,
): Promise<void> {
  const search = runSearch(deps, context, context.body, { isStreamed: true });
  try {
    for (;;) {
      const step = await search.next();
      if (step.done === true) return await emit('done', step.value);
      if (step.value.kind === 'sources') await emit('sources', { citations: step.value.citations });
      else await emit('token', { text: step.value.text });
    }
  } finally {
    // A client that went away ends the generator, and with it the model's stream.
    await search.return(undefined as never);
  }
}
