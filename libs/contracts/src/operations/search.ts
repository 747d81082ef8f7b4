import { z } from 'zod';
import { defineOperation, LARGER_BODY_MAX_BYTES } from '../operation.ts';
import { type ShapeIssue, issueInList, id, precheckedBy, TextSpan, timestamp } from './shared.ts';

export const QUERY_MAX_CHARS = 4_000;
export const TOP_K_MAX = 100;

const FILTER_OPERATORS = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'exists'] as const;
const FILTER_DEPTH_MAX = 8;
/** Each may be a question of its own to the database. */
const FILTER_CONDITIONS_MAX = 100;
const FILTER_FIELD = /^(?:occurred_at|created_at|vault_id|doc_id|metadata\.[^\s.]{1,100})$/;
const VALUES_MAX = 1_000;
const isScalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);
const scalar = z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]);

const FilterLeaf = z.strictObject({
  field: z.string().regex(FILTER_FIELD, 'is not a field that can be filtered by'),
  op: z.enum(FILTER_OPERATORS),
  value: precheckedBy(
    (value) => (Array.isArray(value) ? issueInList(value, isScalar, 'must be a text, number, boolean or null') : null),
    z.union([scalar, z.array(scalar).max(VALUES_MAX)]),
  ),
});

/** A tree of at most 100 conditions, at most 8 deep. */
export type SearchFilter =
  | z.output<typeof FilterLeaf>
  | { and: SearchFilter[] }
  | { or: SearchFilter[] }
  | { not: SearchFilter };

const Filter: z.ZodType<SearchFilter> = z
  .lazy(() =>
    z.union([
      FilterLeaf,
      z.strictObject({ and: z.array(Filter).min(1).max(50) }),
      z.strictObject({ or: z.array(Filter).min(1).max(50) }),
      z.strictObject({ not: Filter }),
    ]),
  )
  .meta({ id: 'SearchFilter' });

/** What is too much about something that is shaped like a filter, found before its conditions are looked at. */
function excessOf(filter: unknown): ShapeIssue | null {
  let level: unknown[] = [filter];
  let conditions = 0;
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > FILTER_DEPTH_MAX) return { path: [], message: `is more than ${FILTER_DEPTH_MAX} deep` };
    const below: unknown[] = [];
    for (const one of level) {
      const parts = partsOf(one);
      if (parts.length === 0) conditions += 1;
      // Below each part there is at least one condition.
      if (conditions + below.length + parts.length > FILTER_CONDITIONS_MAX)
        return { path: [], message: `has more than ${FILTER_CONDITIONS_MAX} conditions` };
      below.push(...parts);
    }
    level = below;
  }
  return null;
}

function partsOf(filter: unknown): readonly unknown[] {
  if (filter === null || typeof filter !== 'object') return [];
  const { and, or, not } = filter as Record<string, unknown>;
  if (Array.isArray(and)) return and;
  if (Array.isArray(or)) return or;
  return not === undefined ? [] : [not];
}

const SearchRequest = z.strictObject({
  query: z.string().trim().min(1).max(QUERY_MAX_CHARS),
  memory_id: id('memory')
    .optional()
    .meta({ description: "Default: the key's memory, else the default workspace's primary memory." }),
  space_id: id('space')
    .optional()
    .meta({ description: "Only this space. Default: the key's space, else the whole memory." }),
  top_k: z.number().int().min(1).max(TOP_K_MAX).default(10).meta({ description: 'How many passages `results` has.' }),
  filters: precheckedBy(excessOf, Filter).optional().meta({
    description:
      'Only passages of documents that it holds for: `{field, op, value}`, nested by `and`, `or` and `not`. Fields are `metadata.<key>`, `occurred_at`, `created_at`, `vault_id` and `doc_id`.',
  }),
  thread_id: id('thread')
    .optional()
    .meta({ description: 'Earlier turns help to understand the question; question and answer become turns of it.' }),
  user: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({ description: "Whom model usage counts for. Default: the thread's user." }),
  llm_model: z.string().min(1).max(64).optional().meta({
    description:
      "One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, an extractive answer.",
  }),
  as_of: timestamp
    .optional()
    .meta({ description: 'The clock that “yesterday” or “last week” in the query refers to. Default: now.' }),
  explain: z.boolean().default(false).meta({ description: 'Adds to each result which signals made its score.' }),
});

export const Citation = z
  .object({
    citation_id: z.string(),
    doc_id: z.string(),
    chunk_id: z.string(),
    title: z.string(),
    snippet: z.string().meta({ description: 'The words that support the answer, white space as single spaces.' }),
    span: TextSpan.nullable().meta({
      description:
        'Where the words of `snippet` stand in the text of the chunk, from the first to the last of them; null where no sentence of it is told to support the answer.',
    }),
    source_uri: z.string().nullable(),
    occurred_at: timestamp
      .nullable()
      .meta({ description: 'The date of the source, by which values that differ are ordered, the newest first.' }),
    score: z.number(),
  })
  .meta({ id: 'Citation' });

const share = (what: string) => z.number().meta({ description: what });

/** Its signals are described in docs/api.md, too. */
const SearchExplanation = z
  .object({
    signals: z
      .object({
        words: share('For the words of the question that the passage has.'),
        meaning: share('For nearness in meaning, where embeddings are configured.'),
        word_proximity: share('For words of the question that stand near each other, in its order.'),
        similarity_to_best: share(
          'For being like the passage that the other signals rate highest, where documents are short.',
        ),
        adjacent_turns: share('In a conversation, for what the turns just before and after say.'),
        nearby_turns: share('In a conversation, for what the turns two before and after say.'),
        named_speaker: share('For a turn by somebody whom the question names.'),
        said_by_asker: share(
          'In a dialogue with an assistant, for a turn of the user, when the question is about the one who asks.',
        ),
        asked_date: share('For a text of the day, month or year that the question names.'),
        asked_period: share('For a text of the period that the question means, like “last week”.'),
        graph: share('For what the knowledge graph connects with the question.'),
        reranker: share('What the configured reranker made of the score by moving the passage; may be negative.'),
      })
      .meta({ description: 'What each signal added. Together they are the score.' }),
    words: z
      .array(
        z.object({
          word: z.string().meta({ description: 'As the question says it, in lower case.' }),
          passages_with_word: z.number().int().meta({ description: 'How many of the searched passages have it.' }),
          rarity: z.number().meta({ description: 'Inverse document frequency: the rarer, the more the word counts.' }),
          frequency: z.number().meta({ description: 'How often the passage has it; in titles it counts more.' }),
          contribution: share('What the word added. Together they are the signal `words`.'),
        }),
      )
      .meta({ description: 'Empty for a passage that was not found by words.' }),
    passage_length: z
      .number()
      .nullable()
      .meta({ description: 'In words as they are weighted; shorter passages score higher.' }),
    average_length: z.number().nullable(),
    passages_searched: z.number().int().nullable(),
  })
  .meta({ id: 'SearchExplanation' });

const SearchResult = z
  .object({
    chunk_id: z.string(),
    doc_id: z.string(),
    title: z.string(),
    text: z.string(),
    score: z.number(),
    vault_id: z.string(),
    source_uri: z.string().nullable(),
    occurred_at: timestamp.nullable(),
    location: z.record(z.string(), z.unknown()),
    explanation: SearchExplanation.optional().meta({ description: 'There when the request says `explain`.' }),
  })
  .meta({ id: 'SearchResult' });

export const SearchAnswer = z
  .object({
    search_id: z.string(),
    answer: z.string().meta({ description: 'Refers to the citations as [1], [2] …' }),
    generated: z.boolean().meta({ description: 'False for an answer made of sentences taken from the sources.' }),
    citations: z.array(Citation),
    results: z.array(SearchResult),
    entities: z.array(z.object({ entity_id: z.string(), name: z.string(), type: z.string() })),
    contradictions: z
      .array(
        z.object({
          contradiction_id: z.string(),
          entity: z.object({ entity_id: z.string(), name: z.string(), type: z.string() }),
          relation: z.string(),
          facts: z.array(
            z.object({
              fact_id: z.string(),
              value: z.string(),
              doc_id: z.string(),
              chunk_id: z.string(),
              quote: z.string(),
            }),
          ),
          citation_ids: z
            .array(z.string())
            .meta({ description: 'Citations of the answer that take one of the sides.' }),
        }),
      )
      .meta({ description: 'Open contradictions of which a shown source states one side.' }),
    suggested_followups: z.array(z.string()),
    confidence: z.number().meta({
      description:
        '0 to 1: how likely the answer is right, by signs that were weighed on questions with known answers; for what was said in conversations, in small memories and in other languages than English, how much of the question the best source carries. Low where nothing answers.',
    }),
    fallback: z
      .string()
      .nullable()
      .meta({ description: 'Why a configured model did not write all of the answer, e.g. `timed_out`; else null.' }),
    thread_id: z.string().nullable(),
    timing_ms: z.record(z.string(), z.number()),
  })
  .meta({ id: 'SearchAnswer' });

const searchOperation = {
  weight: 10,
  service: 'memory',
  app: 'memory',
  tag: 'Search',
  reach: 'memory',
  action: 'read',
  scope: 'memory:search',
  bodyMaxBytes: LARGER_BODY_MAX_BYTES,
} as const;

export const searchMemory = defineOperation({
  ...searchOperation,
  id: 'searchMemory',
  sdk: 'search.query',
  method: 'POST',
  path: '/api/v1/memory/search',
  summary: 'Search a memory and get a cited answer',
  description:
    'Returns the best passages and an answer in which every sentence cites its source. Without a model the answer consists of verbatim sentences; with one it is written from the passages and checked against them. Open contradictions among the sources are returned with it. With `thread_id` the question and the answer are added as turns.',
  errors: ['not_found', 'conflict'],
  body: SearchRequest,
  response: { kind: 'json', status: 200, schema: SearchAnswer },
});

export const streamSearch = defineOperation({
  ...searchOperation,
  id: 'streamSearch',
  sdk: 'search.stream',
  method: 'POST',
  path: '/api/v1/memory/search/stream',
  summary: 'Search a memory and stream the cited answer',
  description:
    'Answers like `searchMemory`, as server-sent events: `sources`, then `token` several times, then `done`. The concatenated tokens are the answer; `done` has all that `searchMemory` returns, with results, entities and the places of what is cited. Closing the connection cancels the work, including the model call.',
  errors: ['not_found', 'conflict'],
  body: SearchRequest,
  response: {
    kind: 'stream',
    events: {
      sources: z.object({ citations: z.array(Citation) }),
      token: z.object({ text: z.string() }),
      done: SearchAnswer.meta({
        description: 'Its `citations` are those of the sources that the answer refers to.',
      }),
      error: z.object({ code: z.string(), detail: z.string(), request_id: z.string() }),
    },
  },
});
