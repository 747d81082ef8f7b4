import type { RunWork } from '@cairn/ledger';
import { listRun } from './list-run.ts';
import type { WebParts } from './read-web.ts';
import { researchRun } from './research-run.ts';
import { webRun } from './web-run.ts';

/** How each kind of run is worked on. */
export function kindsOf(parts: WebParts): Record<string, RunWork> {
  return {
    web: (context) => webRun(parts, context),
    crawler: (context) => webRun(parts, context),
    people: (context) => listRun(parts, context, 'people'),
    company: (context) => listRun(parts, context, 'company'),
    research: (context) => researchRun(parts, context),
    deep_search: (context) => researchRun(parts, context),
  };
}
