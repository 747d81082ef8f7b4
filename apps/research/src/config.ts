import { outboundVariables } from '@cairn/outbound';
import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

const minutes = (count: number) => count * 60_000;

export const variables = {
  ...serviceVariables,
  ...outboundVariables,
  tenancyGrpc: variable('CAIRN_TENANCY_GRPC', z.string().min(1), "host:port of tenancy's gRPC server."),
  memoryGrpc: variable('CAIRN_MEMORY_GRPC', z.string().min(1), "host:port of the memory service's gRPC server."),
  usageGrpc: variable(
    'CAIRN_USAGE_GRPC',
    z.string().min(1).optional(),
    "host:port of usage's gRPC server. Without it nothing is charged.",
  ),
  baseUrl: variable(
    'CAIRN_BASE_URL',
    z.url().transform((url) => url.replace(/(?<!\/)\/+$/, '')),
    'Address that clients reach the gateway at; addresses that are given out begin with it.',
  ),
  allowedOrigins: variable(
    'CAIRN_RESEARCH_ORIGINS',
    z
      .string()
      .default('')
      .transform((text) => text.split(',').flatMap((origin) => (origin.trim() === '' ? [] : [origin.trim()]))),
    'Origins, separated by commas, whose pages may open WebSockets to runs, besides that of CAIRN_BASE_URL.',
  ),
  runsMax: variable(
    'CAIRN_RESEARCH_RUNS_MAX',
    z.coerce.number().int().min(1).max(1_000).default(32),
    'Runs one process works on at a time; further ones wait.',
  ),
  runsPerTenantMax: variable(
    'CAIRN_RESEARCH_RUNS_PER_TENANT_MAX',
    z.coerce.number().int().min(1).max(1_000).default(24),
    "Runs of one tenant that one process works on at a time, so that others' need not wait for them.",
  ),
  runStallsMax: variable(
    'CAIRN_RESEARCH_RUN_STALLS_MAX',
    z.coerce.number().int().min(1).max(1_000).default(3),
    'Times that a run may be at work when its process stalls or ends, without a step kept in between; it fails with `stalled` then. More where processes are killed every few seconds for other reasons.',
  ),
  workers: variable(
    'CAIRN_RESEARCH_WORKERS',
    z.coerce.number().int().min(2).max(64).optional(),
    'Worker processes that analyse prompts, pages and files; one tenant has half as many as there are processors, and leaves one to the others. Default: processors less one, at least 3.',
  ),
  analysisTimeoutMs: variable(
    'CAIRN_RESEARCH_ANALYSIS_TIMEOUT_MS',
    z.coerce.number().int().min(100).max(600_000).default(60_000),
    'Processor time that one analysis of texts in a run may take; the run fails with `prompt_unreadable` or `sources_unreadable` then, and after ten times as long by the clock.',
  ),
  uploadsKeepMs: variable(
    'CAIRN_RESEARCH_UPLOADS_KEEP_MS',
    z.coerce
      .number()
      .int()
      .min(0)
      .default(minutes(24 * 60)),
    'How long the texts of reference files stay after their deep search has completed; without a result they go at once.',
  ),
  textsKeepMs: variable(
    'CAIRN_RESEARCH_TEXTS_KEEP_MS',
    z.coerce
      .number()
      .int()
      .min(0)
      .default(minutes(30 * 24 * 60)),
    'How long the texts that a run has read stay after its end, so that its quotes can be checked; the quotes stay.',
  ),
  connectWithinMs: variable(
    'CAIRN_RESEARCH_CONNECT_MS',
    z.coerce.number().int().min(1).default(minutes(60)),
    'How long a prepared run waits for its first WebSocket before it expires.',
  ),
  clarifyWithinMs: variable(
    'CAIRN_RESEARCH_CLARIFY_MS',
    z.coerce.number().int().min(1).default(minutes(10)),
    'How long a run waits for the answer to its question before it takes the default.',
  ),
  modelsFile: variable(
    'CAIRN_MODELS_FILE',
    z.string().min(1).optional(),
    'JSON list of providers and models. Without it everything works offline.',
  ),
  modelCallTimeoutMs: variable(
    'CAIRN_RESEARCH_MODEL_CALL_MS',
    z.coerce.number().int().min(1).max(600_000).default(minutes(1)),
    'How long a call of a model may take, its repeats included, before the run does without it.',
  ),
  webProxy: variable(
    'CAIRN_WEB_PROXY',
    z.url({ protocol: /^https?$/ }).optional(),
    'Forward proxy for the web traffic of runs that ask for one (`proxy: true`), in place of CAIRN_OUTBOUND_PROXY.',
  ),
  webSearch: variable(
    'CAIRN_WEB_SEARCH',
    z.enum(['searxng', 'brave', 'tavily']).optional(),
    'Search engine for the web. Without it runs read the sites they are given and the memory.',
  ),
  webSearchUrl: variable('CAIRN_WEB_SEARCH_URL', z.url().optional(), "The search engine's address; SearXNG needs one."),
  webSearchKey: variable('CAIRN_WEB_SEARCH_KEY', z.string().optional(), "The operator's key for the search engine."),
  crawlPauseMs: variable(
    'CAIRN_CRAWL_PAUSE_MS',
    z.coerce.number().int().min(0).max(60_000).default(250),
    'Least pause between two requests to one host; a site that asks for a longer one gets it.',
  ),
} as const;

export type Config = ConfigOf<typeof variables>;
