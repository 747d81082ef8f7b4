import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { id, nextCursor, pageBy, PAGE_LIMIT_MAX, pathId, timeBound, timestamp } from './shared.ts';
import { idPattern } from '../ids.ts';

const PAGE_LIMIT_DEFAULT = 50;
const RETENTION_DAYS_MAX = 365;
export const RETENTION_DAYS_DEFAULT = 30;
const COMMENT_MAX_CHARS = 1_000;

const memoryId = id('memory').optional();
const searchLog = { service: 'memory', app: 'memory', tag: 'Search', reach: 'memory' } as const;
/** A matter of who owns the memory: no key that is bound to one may. */
const settings = {
  service: 'memory',
  app: 'memory',
  tag: 'Memories',
  reach: 'tenant',
  path: '/api/v1/memories/{memory_id}/search-log',
  params: z.strictObject({ memory_id: pathId }),
} as const;
const ofOneMemory = z.strictObject({ memory_id: memoryId });

const SearchLogSettings = z
  .object({
    memory_id: z.string(),
    enabled: z.boolean().meta({ description: 'Whether searches of the memory are kept. False unless turned on.' }),
    keep_days: z.number().int().meta({ description: 'How long each is kept.' }),
  })
  .meta({ id: 'SearchLogSettings' });

const LoggedSearch = z
  .object({
    search_id: z.string(),
    memory_id: z.string(),
    space_id: z.string().nullable().meta({ description: 'The space that was searched; null for the whole memory.' }),
    asked_at: timestamp,
    question: z.string().meta({ description: "Masked by the memory's `dlp_policy`." }),
    answered: z.boolean().meta({ description: 'False when the answer cited nothing.' }),
    generated: z.boolean(),
    confidence: z.number(),
    citations: z
      .array(z.object({ doc_id: z.string(), chunk_id: z.string() }))
      .meta({ description: 'What the answer cited, in its order; a document may have been deleted since.' }),
    took_ms: z.number().int(),
    credential_id: z.string().meta({ description: 'The key or OAuth client that asked.' }),
    feedback: z
      .object({ helpful: z.boolean(), comment: z.string().nullable(), rated_at: timestamp })
      .nullable()
      .meta({ description: 'What was said last about the answer; null when nobody has said.' }),
  })
  .meta({ id: 'LoggedSearch' });

export const getSearchLog = defineOperation({
  ...settings,
  id: 'getSearchLog',
  sdk: 'memories.searchLog',
  method: 'GET',
  summary: 'Read whether the searches of a memory are kept',
  description:
    'Returns whether the searches of a memory are kept, and for how many days. They are not unless turned on.',
  errors: ['not_found', 'conflict'],
  action: 'read',
  scope: 'memories:read',
  response: { kind: 'json', status: 200, schema: SearchLogSettings },
});

export const updateSearchLog = defineOperation({
  ...settings,
  id: 'updateSearchLog',
  sdk: 'memories.updateSearchLog',
  method: 'PATCH',
  summary: 'Have the searches of a memory kept, or no longer',
  description:
    'Changes only the fields that are given. Once on, each answered search is kept for `keep_days` days, its question masked like a document; other replicas begin within ten seconds. Turned off, no further search is kept at once, and what is there stays until its days are over. A key that is bound to a memory gets 403.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'memories:write',
  body: z.strictObject({
    enabled: z.boolean().optional(),
    keep_days: z
      .number()
      .int()
      .min(1)
      .max(RETENTION_DAYS_MAX)
      .optional()
      .meta({
        description: `1–${RETENTION_DAYS_MAX}; ${RETENTION_DAYS_DEFAULT} unless set. Applies to what is there, too.`,
      }),
  }),
  response: { kind: 'json', status: 200, schema: SearchLogSettings },
});

export const listSearches = defineOperation({
  ...searchLog,
  id: 'listSearches',
  sdk: 'searches.list',
  method: 'GET',
  path: '/api/v1/memory/searches',
  summary: 'List what was asked of a memory',
  description:
    'Lists the searches of a memory that were kept, newest first. Nothing is kept unless `updateSearchLog` has turned it on. A key of one space sees the searches of that space only.',
  errors: ['not_found', 'conflict'],
  action: 'read',
  scope: 'threads:read',
  query: z.strictObject({
    memory_id: memoryId,
    space_id: id('space').optional().meta({ description: 'Only searches of this space.' }),
    unanswered: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: '`true`: only those whose answer cited nothing; `false`: only the others.' }),
    thumbs: z
      .enum(['up', 'down', 'none'])
      .optional()
      .meta({ description: 'Only those that were helpful, not helpful, or not rated.' }),
    since: timeBound.optional().meta({ description: 'Only those asked at or after this time.' }),
    until: timeBound.optional().meta({ description: 'Only those asked before this time.' }),
    ...pageBy(idPattern('search')),
    limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ searches: z.array(LoggedSearch), next_cursor: nextCursor }).meta({ id: 'LoggedSearches' }),
  },
});

export const getSearch = defineOperation({
  ...searchLog,
  id: 'getSearch',
  sdk: 'searches.get',
  method: 'GET',
  path: '/api/v1/memory/searches/{search_id}',
  summary: 'Read a search that was kept',
  description:
    'Returns a kept search by the `search_id` of its answer. A search is kept just after its answer was made, and one whose process dies at that moment may be missing.',
  errors: ['not_found', 'conflict'],
  action: 'read',
  scope: 'threads:read',
  params: z.strictObject({ search_id: pathId }),
  query: ofOneMemory,
  response: { kind: 'json', status: 200, schema: LoggedSearch },
});

export const rateSearch = defineOperation({
  ...searchLog,
  id: 'rateSearch',
  sdk: 'searches.rate',
  method: 'POST',
  path: '/api/v1/memory/searches/{search_id}/feedback',
  summary: 'Say whether the answer of a search helped',
  description:
    'Keeps whether the answer helped, with a comment if there is one, masked like the question. A repeat replaces what was said before; without `comment` the search has none afterwards. 404 for a search that was not kept.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'memory:search',
  params: z.strictObject({ search_id: pathId }),
  body: z.strictObject({
    helpful: z.boolean(),
    comment: z.string().trim().min(1).max(COMMENT_MAX_CHARS).optional(),
    memory_id: memoryId,
  }),
  response: { kind: 'json', status: 200, schema: LoggedSearch },
});
