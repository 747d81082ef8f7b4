import { validationFailed } from '@cairn/errors';
import { WorkerFailure } from '@cairn/workers';
import type { TextWorkers } from '../text-work/text-workers.ts';
import type { Configured, WebOptions } from './web-options.ts';

/** Longer than any prompt needs, shorter than a caller waits. */
const PROMPT_CPU_MAX_MS = 5_000;

/** Where a run is to look, from its configuration and its prompt. Throws a 422 for a prompt that cannot be analysed. */
export async function readOptions(
  { text }: { text: TextWorkers },
  { identity, signal }: { identity: { tenantId: string }; signal: AbortSignal },
  { prompt, config }: Configured,
): Promise<WebOptions> {
  try {
    return await text.run(identity.tenantId, { prompt, config }, 'webOptions', {
      cpuMaxMs: PROMPT_CPU_MAX_MS,
      signal,
    });
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
    throw validationFailed([{ path: 'prompt', message: 'cannot be analysed; put it in fewer or simpler words' }]);
  }
}
