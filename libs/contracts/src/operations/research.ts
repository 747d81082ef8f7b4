import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { RUN_KINDS } from '../run-states.ts';
import {
  config,
  llmModel,
  memoryId,
  prompt,
  PROMPT_MAX_CHARS,
  runOperation,
  SEARCH_MODES,
  startOperation,
  status,
  TARGET_MAX,
  user,
} from './research-shared.ts';
import { id, name, pathId, shownText, timestamp } from './shared.ts';

const listNames = {
  list_name: name.optional(),
  list_description: shownText(2_000).trim().optional(),
};
const liveUrl = z.boolean().default(false).meta({ description: 'Also make a page where a person watches the run.' });
const proxy = z.boolean().default(false).meta({ description: "Send web traffic through the operator's proxy." });

const start = z.enum(['on_connect', 'now']).default('on_connect').meta({
  description: '`now` starts the run with this call; it is followed by its WebSocket or its event stream all the same.',
});

const WebSession = z
  .object({
    success: z.boolean(),
    message: z.string(),
    thread_id: z.string(),
    list_id: z.string(),
    websocket_url: z.string().meta({
      description:
        'The run starts when a WebSocket connects here, unless it was started by the call; for one connection.',
    }),
    status,
  })
  .meta({ id: 'WebSession' });

export const startWebResearch = defineOperation({
  ...startOperation,
  id: 'startWebResearch',
  sdk: 'runs.startWeb',
  weight: 20,
  path: '/api/v1/search/agent/web-and-research',
  summary: 'Prepare a web and research run',
  description:
    "Prepares a run that answers from the web and the tenant's memory, and collects what it finds in a list. It starts when a WebSocket connects to `websocket_url`, and expires after an hour if none does; with `now` as `start` it starts with this call.",
  errors: ['not_found', 'conflict', 'proxy_not_configured'],
  body: z.strictObject({
    prompt,
    llm_model: llmModel,
    live_url: liveUrl,
    proxy,
    start,
    memory_id: memoryId,
    config,
    user,
  }),
  response: { kind: 'json', status: 200, schema: WebSession },
});

export const startCrawler = defineOperation({
  ...startOperation,
  id: 'startCrawler',
  sdk: 'runs.startCrawl',
  weight: 20,
  path: '/api/v1/search/agent/agentic-crawler',
  summary: 'Prepare a crawl of the sites named in the prompt',
  description:
    'Prepares a run that reads the sites named in the prompt and collects the entities asked for into a list, each cell with its quote. It starts when a WebSocket connects to `websocket_url`, and expires after an hour if none does; with `now` as `start` it starts with this call.',
  errors: ['not_found', 'conflict', 'proxy_not_configured'],
  body: z.strictObject({ prompt, llm_model: llmModel, proxy, start, memory_id: memoryId, config, user }),
  response: { kind: 'json', status: 200, schema: WebSession },
});

const listSearch = {
  body: z.strictObject({
    prompt,
    ...listNames,
    search_mode: z.enum(SEARCH_MODES).default('standard').meta({ description: 'How far it looks before it ends.' }),
    total_target: z
      .number()
      .int()
      .min(1)
      .max(TARGET_MAX)
      .optional()
      .meta({ description: 'Rows at most. Default: 10, 25 or 100 by `search_mode`.' }),
    llm_model: llmModel,
    memory_id: memoryId,
    config,
    user,
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ success: z.boolean(), message: z.string(), thread_id: z.string(), status }),
  },
} as const;

export const startPeopleSearch = defineOperation({
  ...startOperation,
  ...listSearch,
  id: 'startPeopleSearch',
  sdk: 'runs.startPeople',
  weight: 20,
  path: '/api/v1/search/workflow/people/start',
  summary: 'Build a list of people who meet the criteria in the prompt',
  description:
    'Starts at once to build a list of people who meet the criteria in the prompt, each criterion with its evidence. The price is reserved when the run starts and charged once when it ends.',
  errors: ['not_found', 'conflict', 'insufficient_credits', 'proxy_not_configured'],
});

export const startCompanySearch = defineOperation({
  ...startOperation,
  ...listSearch,
  id: 'startCompanySearch',
  sdk: 'runs.startCompanies',
  weight: 20,
  path: '/api/v1/search/workflow/company/start',
  summary: 'Build a list of companies that meet the criteria in the prompt',
  description:
    'Starts at once to build a list of companies that meet the criteria in the prompt, each criterion with its evidence. The price is reserved when the run starts and charged once when it ends.',
  errors: ['not_found', 'conflict', 'insufficient_credits', 'proxy_not_configured'],
});

export const continueListSearch = defineOperation({
  ...startOperation,
  id: 'continueListSearch',
  sdk: 'runs.continue',
  weight: 20,
  path: '/api/v1/search/workflow/continue',
  summary: 'Continue a people or company search with a higher target',
  description:
    'Raises the target of a list search and continues it: rows that it has stay, and nobody is listed twice. The target must be higher than the number of rows.',
  errors: ['not_found', 'conflict', 'insufficient_credits'],
  body: z.strictObject({ thread_id: id('thread'), total_target: z.number().int().min(1).max(TARGET_MAX) }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ success: z.boolean(), thread_id: z.string(), status }),
  },
});

export const stopRun = defineOperation({
  ...startOperation,
  id: 'stopRun',
  sdk: 'runs.stop',
  path: '/api/v1/search/workflow/stop/{thread_id}',
  summary: 'Stop a run',
  description: 'Ends a run immediately and keeps what it found. Stopping a run that has ended returns the same answer.',
  errors: ['not_found'],
  params: z.strictObject({ thread_id: pathId }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ success: z.boolean(), thread_id: z.string(), status, message: z.string() }),
  },
});

const Question = z.object({
  question_id: z.string(),
  question: z.string(),
  default: z.string().meta({ description: 'Taken when nobody answers in time.' }),
  choices: z
    .array(z.string())
    .optional()
    .meta({ description: 'What the sources offer to choose from; other words are an answer, too.' }),
  expires_at: timestamp,
});

export const getRunStatus = defineOperation({
  ...runOperation,
  id: 'getRunStatus',
  sdk: 'runs.status',
  method: 'GET',
  path: '/api/v1/search/workflow/status/{thread_id}',
  summary: 'Read the status of a run',
  description:
    'Returns stage, progress, results so far, the open question, if any, and a fresh ticket for the WebSocket.',
  errors: ['not_found'],
  action: 'read',
  scope: 'search:run',
  params: z.strictObject({ thread_id: pathId }),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({
        thread_id: z.string(),
        kind: z.enum(RUN_KINDS),
        status,
        prompt: z.string(),
        criteria: z.array(z.object({ criterion_id: z.string(), kind: z.string(), text: z.string() })),
        progress: z.object({ stage: z.string(), percent: z.number().int().min(0).max(100) }),
        counts: z.object({
          sources: z.number().int(),
          findings: z.number().int(),
          conflicts: z.number().int(),
          candidates: z.number().int(),
          rows: z.number().int(),
          events: z.number().int(),
        }),
        total_target: z.number().int().nullable(),
        list_id: z.string().nullable(),
        workspace_id: z.string(),
        memory_id: z.string(),
        websocket_url: z.string(),
        live_url: z.string().meta({ description: 'Empty when it was not asked for.' }),
        question: Question.nullable(),
        assumptions: z.array(z.string()),
        research_brief: z.string(),
        final_report: z.string(),
        citations: z.array(
          z.object({
            number: z.number().int(),
            finding_id: z.string(),
            source_id: z.string(),
            title: z.string(),
            uri: z.string().nullable(),
            quote: z.string(),
            start: z.number().int(),
          }),
        ),
        generated: z.boolean().meta({ description: 'True when a model wrote the report.' }),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
        cost: z.object({
          charge: z.string(),
          credits: z.number(),
          state: z.enum(['none', 'reserved', 'settled', 'released']),
          input_tokens: z.number().int(),
          output_tokens: z.number().int(),
        }),
        created_at: timestamp,
        started_at: timestamp.nullable(),
        finished_at: timestamp.nullable(),
      })
      .meta({ id: 'RunStatus' }),
  },
});

export const exportReport = defineOperation({
  ...runOperation,
  id: 'exportReport',
  sdk: 'runs.report',
  method: 'GET',
  path: '/api/v1/search/workflow/report/{thread_id}',
  summary: 'Download the report of a run',
  description: 'Returns the report as Markdown, HTML, PDF or JSON. A run that has none yet is refused.',
  errors: ['not_found', 'conflict', 'payload_too_large'],
  action: 'read',
  scope: 'search:run',
  params: z.strictObject({ thread_id: pathId }),
  query: z.strictObject({ format: z.enum(['markdown', 'html', 'pdf', 'json']).default('markdown') }),
  response: {
    kind: 'file',
    mediaTypes: ['text/markdown', 'text/html', 'application/pdf', 'application/json'],
  },
});

export const startResearch = defineOperation({
  ...startOperation,
  id: 'startResearch',
  sdk: 'runs.startResearch',
  weight: 20,
  path: '/api/v1/search/research/start',
  summary: 'Start deep research',
  description:
    'Starts deep research at once: questions, reading, gaps, and a report whose statements cite their quotes. The price is reserved now and charged once at the end. Follow it by its event stream.',
  errors: ['not_found', 'conflict', 'insufficient_credits', 'proxy_not_configured'],
  body: z.strictObject({
    query: z.string().trim().min(1).max(PROMPT_MAX_CHARS),
    allow_clarification: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether the run may ask a question; it waits ten minutes for the answer.' }),
    serviceId: z.string().min(1).max(128).optional().meta({ description: 'Recorded with the charge.' }),
    llm_model: llmModel,
    memory_id: memoryId,
    config,
    user,
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({
      thread_id: z.string(),
      status,
      message: z.string(),
      research_brief: z.string(),
      final_report: z.string(),
    }),
  },
});

export const respondToResearch = defineOperation({
  ...startOperation,
  id: 'respondToResearch',
  sdk: 'runs.answer',
  path: '/api/v1/search/research/respond/{thread_id}',
  summary: 'Answer the question of a research run',
  description: 'Answers the question that the run asked and lets it go on. A run that has no open question refuses it.',
  errors: ['not_found', 'conflict'],
  params: z.strictObject({ thread_id: pathId }),
  query: z.strictObject({ response: z.string().trim().min(1).max(PROMPT_MAX_CHARS) }),
  response: { kind: 'json', status: 200, schema: z.object({ status, message: z.string() }) },
});

export const startDeepSearch = defineOperation({
  ...startOperation,
  id: 'startDeepSearch',
  sdk: 'runs.startDeepSearch',
  weight: 20,
  path: '/api/v1/search/service-deep-search/start',
  summary: 'Prepare a deep search or answer its question',
  description:
    'Prepares a run that reads reference files, the memory and the web. It starts when a WebSocket connects to `websocket_url`, or with this call when `start` is `now`. With `thread_id` and `list_id` the prompt answers the question that the run has asked.',
  errors: ['not_found', 'conflict', 'insufficient_credits', 'proxy_not_configured'],
  body: z.strictObject({
    prompt,
    llm_model: llmModel,
    live_url: liveUrl,
    proxy,
    start,
    thread_id: id('thread').optional().meta({ description: 'Of a run that has asked: `prompt` is the answer.' }),
    list_id: id('list').optional().meta({ description: 'The list of that run.' }),
    memory_id: memoryId,
    config,
    user,
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({
      success: z.boolean(),
      thread_id: z.string(),
      list_id: z.string(),
      websocket_url: z.string(),
      live_url: z.string(),
      workspace_id: z.string(),
      status,
    }),
  },
});

/** Largest reference file of a deep search. */
export const REFERENCE_MAX_BYTES = 25 * 1_048_576;

export const uploadReference = defineOperation({
  ...startOperation,
  id: 'uploadReference',
  sdk: 'runs.uploadReference',
  weight: 20,
  path: '/api/v1/search/service-deep-search/upload',
  summary: 'Upload a reference file for a deep search',
  description:
    'Gives an active deep search one file that only this run reads. Its format is detected from its content. At most 20 files for each run.',
  errors: ['not_found', 'conflict', 'unsupported_media_type'],
  upload: { fields: z.strictObject({ thread_id: id('thread') }), fileMaxBytes: REFERENCE_MAX_BYTES },
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ success: z.boolean(), workspace_id: z.string(), paths: z.array(z.string()) }),
  },
});
