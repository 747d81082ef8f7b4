import type { Outbound } from '@cairn/outbound';
import type { WorkDeps } from '../steps/work-deps.ts';

export interface CrawlDeps extends WorkDeps {
  outbound: Outbound;
  /** Shortest pause between two requests to a host. */
  crawlPauseMs: number;
}
