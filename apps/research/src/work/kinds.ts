import type { RunWork } from '@cairn/ledger';
import { researchRun } from './research-run.ts';
import type { WorkParts } from './work-parts.ts';

/** How each kind of run is worked on. */
export function kindsOf(parts: WorkParts): Record<string, RunWork> {
  return {
    research: (context) => researchRun(parts, context),
  };
}
