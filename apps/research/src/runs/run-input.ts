import type { RunContext } from '../ledger/run-context.ts';
import type { MemoryTarget } from '../memory/memory-target.ts';
import type { SearchMode, SourceKind, WebOptions } from '../analysis/web-options.ts';

/** The input of a run; written by `start-run.ts`. */
interface RunInput extends WebOptions {
  prompt: string;
  model: string | null;
  proxy: boolean;
  target: MemoryTarget;
  total_target: number | null;
  list_id: string | null;
  /** How often the search was continued after its end. */
  leg?: number;
  allow_clarification?: boolean;
  search_mode?: SearchMode;
  sources: SourceKind[];
}

export function inputOf(context: RunContext): RunInput {
  return context.input as RunInput;
}

export function continuationOf(context: RunContext): number {
  return inputOf(context).leg ?? 0;
}
