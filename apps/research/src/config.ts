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
    "host:port of usage's gRPC server. Without it runs are not charged.",
  ),
  baseUrl: variable(
    'CAIRN_BASE_URL',
    z.url().transform((url) => url.replace(/(?<!\/)\/+$/, '')),
    'Public URL of the gateway, and the base of the URLs in responses.',
  ),
  allowedOrigins: variable(
    'CAIRN_RESEARCH_ORIGINS',
    z
      .string()
      .default('')
      .transform((text) => text.split(',').flatMap((origin) => (origin.trim() === '' ? [] : [origin.trim()]))),
    'Comma-separated origins, besides that of CAIRN_BASE_URL and the host that the page asks, whose pages may open WebSockets to runs.',
  ),
  runsMax: variable(
    'CAIRN_RESEARCH_RUNS_MAX',
    z.coerce.number().int().min(1).max(1_000).default(32),
    'Runs that one process executes concurrently; further ones wait.',
  ),
  runsPerTenantMax: variable(
    'CAIRN_RESEARCH_RUNS_PER_TENANT_MAX',
    z.coerce.number().int().min(1).max(1_000).default(24),
    "Runs of one tenant that one process executes concurrently, so that other tenants' runs do not have to wait for them.",
  ),
  runStallsMax: variable(
    'CAIRN_RESEARCH_RUN_STALLS_MAX',
    z.coerce.number().int().min(1).max(1_000).default(3),
    'How many times a run may be executing when its process stalls or exits, without completing a step in between, before it fails with `stalled`. Raise it where processes are killed every few seconds for other reasons.',
  ),
  workers: variable(
    'CAIRN_RESEARCH_WORKERS',
    z.coerce.number().int().min(2).max(64).optional(),
    'Worker processes that analyse prompts, pages and files. One tenant gets at most half as many as there are processors, and leaves one to the others. Default: processors minus one, at least 3.',
  ),
  analysisTimeoutMs: variable(
    'CAIRN_RESEARCH_ANALYSIS_TIMEOUT_MS',
    z.coerce.number().int().min(100).max(600_000).default(60_000),
    'Processor time that one text analysis in a run may take, after which the run fails with `prompt_unreadable` or `sources_unreadable`; it also fails after ten times that in wall-clock time.',
  ),
  uploadsRetentionMs: variable(
    'CAIRN_RESEARCH_UPLOADS_KEEP_MS',
    z.coerce
      .number()
      .int()
      .min(0)
      .default(minutes(24 * 60)),
    'How long the texts of reference files are kept after their deep search has completed; if it ends without a result, they are deleted at once.',
  ),
  textsRetentionMs: variable(
    'CAIRN_RESEARCH_TEXTS_KEEP_MS',
    z.coerce
      .number()
      .int()
      .min(0)
      .default(minutes(30 * 24 * 60)),
    'How long the texts that a run has read are kept after its end, so that its quotes can be checked; the quotes themselves are kept.',
  ),
  connectWithinMs: variable(
    'CAIRN_RESEARCH_CONNECT_MS',
    z.coerce.number().int().min(1).default(minutes(60)),
    'How long a prepared run waits for its first WebSocket connection before it expires.',
  ),
  clarifyWithinMs: variable(
    'CAIRN_RESEARCH_CLARIFY_MS',
    z.coerce.number().int().min(1).default(minutes(10)),
    'How long a run waits for the answer to its question before it uses the default.',
  ),
  modelsFile: variable(
    'CAIRN_MODELS_FILE',
    z.string().min(1).optional(),
    'JSON file that lists model providers and models. Without it runs use no models.',
  ),
  modelCallTimeoutMs: variable(
    'CAIRN_RESEARCH_MODEL_CALL_MS',
    z.coerce.number().int().min(1).max(600_000).default(minutes(1)),
    'How long a model call may take, retries included, before the run continues without it.',
  ),
  webProxy: variable(
    'CAIRN_WEB_PROXY',
    z.url({ protocol: /^https?$/ }).optional(),
    'Forward proxy for the web traffic of runs that ask for one (`proxy: true`), in place of CAIRN_OUTBOUND_PROXY.',
  ),
  webSearch: variable(
    'CAIRN_WEB_SEARCH',
    z.enum(['searxng', 'brave', 'tavily']).optional(),
    'Web search engine. Without it runs read only the memory and the sites that they are given.',
  ),
  webSearchUrl: variable('CAIRN_WEB_SEARCH_URL', z.url().optional(), 'URL of the search engine; required for SearXNG.'),
  webSearchKey: variable(
    'CAIRN_WEB_SEARCH_KEY',
    z.string().optional(),
    "The operator's API key for the search engine.",
  ),
  crawlPauseMs: variable(
    'CAIRN_CRAWL_PAUSE_MS',
    z.coerce.number().int().min(0).max(60_000).default(250),
    'Minimum pause between two requests to one host; a longer crawl-delay of the site takes precedence.',
  ),
} as const;

export type Config = ConfigOf<typeof variables>;
