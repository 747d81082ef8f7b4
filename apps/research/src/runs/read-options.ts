import { validationFailed } from '@cairn/errors';
import { WorkerFailure } from '@cairn/workers';
import type { TextWorkers } from '../workers/text-workers.ts';
import type { ConfiguredRequest, WebOptions } from '../analysis/web-options.ts';

/** More than any prompt needs, and less than a caller waits. */
const PROMPT_CPU_MAX_MS = 5_000;

/**
 * Determines where a run looks, from its configuration and prompt. Throws a 422 for a prompt that cannot be analysed.
 */
export async function readOptions(
  { text }: { text: TextWorkers },
  { identity, signal }: { identity: { tenantId: string }; signal: AbortSignal },
  { prompt, config }: ConfiguredRequest,
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
