import { z } from 'zod';
import { LARGER_BODY_MAX_BYTES } from '../operation.ts';
import { RUN_STATUSES } from '../run-states.ts';
import { id } from './shared.ts';

/** The events of a run, in the order of `seq`; exactly one of the last four comes, and it comes last. */
export const RUN_EVENT_TYPES = [
  'run.queued',
  'run.started',
  'run.progress',
  'plan.ready',
  'query.issued',
  'source.fetched',
  'source.skipped',
  'finding.added',
  'conflict.found',
  'row.candidate',
  'row.matched',
  'row.rejected',
  'clarification.requested',
  'clarification.answered',
  'budget.warning',
  'report.delta',
  'report.ready',
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.expired',
] as const;
export type RunEventType = (typeof RUN_EVENT_TYPES)[number];

export const LIST_STATUSES = ['building', 'ready', 'stopped', 'failed'] as const;
export const LIST_TYPES = ['company', 'people', 'web'] as const;
export const SEARCH_MODES = ['fast', 'standard', 'deep'] as const;

export const PROMPT_MAX_CHARS = 8_000;
const SEEDS_MAX = 20;
export const TARGET_MAX = 1_000;

export const status = z.enum(RUN_STATUSES);
export const prompt = z.string().trim().min(1).max(PROMPT_MAX_CHARS);
export const user = z.string().min(1).max(128).optional().meta({ description: 'Whose usage this is.' });
export const llmModel = z.string().min(1).max(128).optional().meta({
  description:
    "One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline.",
});
export const memoryId = id('memory')
  .optional()
  .meta({ description: "The memory that is searched. Default: the default workspace's primary memory." });

const seed = z.url({ protocol: /^https?$/ }).max(2_000);

/** Bounds that a caller may set lower than the operator's. */
export const config = z
  .strictObject({
    seeds: z.array(seed).max(SEEDS_MAX).optional().meta({ description: 'Sites to read, besides those in the prompt.' }),
    sources: z
      .array(z.enum(['memory', 'web']))
      .min(1)
      .max(2)
      .optional()
      .meta({ description: 'Where to look. `["memory"]` never opens a connection.' }),
    max_pages: z.number().int().min(1).max(5_000).optional(),
    max_depth: z.number().int().min(0).max(20).optional(),
    max_seconds: z.number().int().min(1).max(3_600).optional(),
    max_tokens: z.number().int().min(1).optional(),
    max_cost_usd: z.number().positive().optional(),
  })
  .optional();

export const runOperation = { service: 'research', app: 'research', tag: 'Research', reach: 'tenant' } as const;
export const startOperation = {
  ...runOperation,
  method: 'POST',
  action: 'write',
  scope: 'search:run',
  idempotent: true,
  bodyMaxBytes: LARGER_BODY_MAX_BYTES,
} as const;
