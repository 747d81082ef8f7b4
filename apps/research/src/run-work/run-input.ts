import type { RunContext } from '@cairn/ledger';
import type { MemoryTarget } from '../memory/memory-target.ts';
import type { SearchMode, SourceKind, WebOptions } from '../runs/web-options.ts';

/** What a run was started with; written by `start-run.ts`. */
export interface RunInput extends WebOptions {
  prompt: string;
  model: string | null;
  proxy: boolean;
  target: MemoryTarget;
  total_target: number | null;
  list_id: string | null;
  /** Counts how often a search that had ended was continued. */
  leg?: number;
  allow_clarification?: boolean;
  search_mode?: SearchMode;
  sources: SourceKind[];
}

export function inputOf(context: RunContext): RunInput {
  return context.input as RunInput;
}

export function legOf(context: RunContext): number {
  return inputOf(context).leg ?? 0;
}
