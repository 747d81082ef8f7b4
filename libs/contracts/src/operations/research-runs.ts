import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { RUN_KINDS, RUN_STATUSES, runOperation, status } from './research-shared.ts';
import { RunEvent } from './research-streams.ts';
import { nextCursor, pageBy, pageById, pathId, timestamp } from './shared.ts';

export const RUNS_DEFAULT_LIMIT = 50;
const QUERY_MAX_CHARS = 200;
const SEQ = /^\d{1,15}$/;

const RunSummary = z
  .object({
    thread_id: z.string(),
    kind: z.enum(RUN_KINDS),
    status,
    prompt: z.string(),
    progress: z.object({ stage: z.string(), percent: z.number().int().min(0).max(100) }),
    list_id: z.string().nullable(),
    memory_id: z.string(),
    started_by: z.string().meta({ description: 'The key that started it.' }),
    credits: z.number().meta({ description: 'Reserved while it runs, charged when it has ended, 0 when released.' }),
    events: z.number().int().meta({ description: 'How many its log has.' }),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'RunSummary' });

const reading = { ...runOperation, method: 'GET', action: 'read', scope: 'search:run' } as const;

/** A repeated parameter comes as text when it is there once. */
const statuses = z
  .union([z.array(status).min(1).max(RUN_STATUSES.length), status])
  .transform((given) => (typeof given === 'string' ? [given] : given))
  .optional()
  .meta({
    description: 'Only runs of these statuses; the parameter is repeated. `awaiting_clarification` wait for an answer.',
    override: { type: 'array', items: { type: 'string', enum: [...RUN_STATUSES] }, maxItems: RUN_STATUSES.length },
  });

export const listRuns = defineOperation({
  ...reading,
  id: 'listRuns',
  sdk: 'runs.list',
  path: '/api/v1/search/runs',
  summary: 'List the runs of the tenant',
  description:
    'Lists runs of every kind, newest first, 50 to a page unless `limit` says otherwise. Filters select by kind, status and words of the prompt; runs that wait for an answer have the status `awaiting_clarification`.',
  query: z.strictObject({
    kind: z.enum(RUN_KINDS).optional(),
    status: statuses,
    query: z
      .string()
      .trim()
      .min(1)
      .max(QUERY_MAX_CHARS)
      .optional()
      .meta({ description: 'Only runs whose prompt contains this.' }),
    ...pageById('thread'),
  }),
  response: { kind: 'json', status: 200, schema: z.object({ runs: z.array(RunSummary), next_cursor: nextCursor }) },
});

export const listRunEvents = defineOperation({
  ...reading,
  id: 'listRunEvents',
  sdk: 'runs.log',
  path: '/api/v1/search/runs/{thread_id}/events',
  summary: 'List the events of a run',
  description:
    'Returns the log of a run in order, the same events that its stream sends, 50 to a page unless `limit` says otherwise. The number of the last event that you have is the cursor of what follows it.',
  errors: ['not_found'],
  params: z.strictObject({ thread_id: pathId }),
  query: z.strictObject(pageBy(SEQ)),
  response: { kind: 'json', status: 200, schema: z.object({ events: z.array(RunEvent), next_cursor: nextCursor }) },
});
