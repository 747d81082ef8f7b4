import { CairnError } from '@cairn/errors';
import { ModelFailure } from '@cairn/llm';
import { isUnavailable } from '../memories/unavailable.ts';

/**
 * Why a search goes on without a model: the call failed, or nobody can say whose key it takes. Null for what is neither,
 * the caller's own abort among it.
 */
export function fallbackReason(error: unknown): string | null {
  if (error instanceof ModelFailure) return error.reason;
  const unreachable = isUnavailable(error) || (error instanceof CairnError && error.code === 'deadline_exceeded');
  return unreachable ? 'unreachable' : null;
}
