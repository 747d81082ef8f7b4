import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { RUN_KINDS, RUN_STATUSES } from '../run-states.ts';
import { runOperation, status } from './research-shared.ts';
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

const SOURCE_KINDS = ['memory', 'web', 'upload'] as const;
const source = {
  source_id: z.string(),
  thread_id: z.string().meta({ description: 'The run that read it.' }),
  kind: z.enum(SOURCE_KINDS),
  title: z.string(),
  uri: z.string().nullable().meta({ description: 'Its address, when it was read from one.' }),
  doc_id: z.string().nullable().meta({ description: 'The document, when it is one of the memory.' }),
  occurred_at: timestamp.nullable().meta({ description: 'The time that it is of, where that is known.' }),
  read_at: timestamp,
};
const RunSource = z.object(source).meta({ id: 'RunSource' });

export const SOURCES_DEFAULT_LIMIT = 50;

export const listRunSources = defineOperation({
  ...reading,
  id: 'listRunSources',
  sdk: 'runs.sources',
  path: '/api/v1/search/runs/{thread_id}/sources',
  summary: 'List what a run has read',
  description:
    'Lists the documents, pages and files that a run has read, in the order in which it read them, without their texts; 50 to a page by default.',
  errors: ['not_found'],
  params: z.strictObject({ thread_id: pathId }),
  query: z.strictObject(pageById('source')),
  response: { kind: 'json', status: 200, schema: z.object({ sources: z.array(RunSource), next_cursor: nextCursor }) },
});

const SOURCE_CHARS_MAX = 100_000;

export const getSource = defineOperation({
  ...reading,
  id: 'getSource',
  sdk: 'sources.get',
  path: '/api/v1/search/sources/{source_id}',
  summary: 'Read the text that a quote is from',
  description:
    "Returns one source of a run with a part of its text, as the run read it: `start` and `quote` of evidence are places in it. Texts are kept for a while after the run's end; `text` is null when it is over.",
  errors: ['not_found'],
  params: z.strictObject({ source_id: pathId }),
  query: z.strictObject({
    start: z.coerce.number().int().min(0).default(0).meta({ description: 'Where the part begins, in UTF-16 units.' }),
    length: z.coerce.number().int().min(1).max(SOURCE_CHARS_MAX).default(20_000),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({
        ...source,
        text: z.string().nullable(),
        total_chars: z.number().int().meta({ description: 'Length of the whole text in UTF-16 units.' }),
        start: z.number().int(),
        next_start: z.number().int().nullable().meta({ description: 'Where the next part begins; null at the end.' }),
      })
      .meta({ id: 'SourceText' }),
  },
});
