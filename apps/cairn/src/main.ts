import { resolve } from 'node:path';
import { outboundVariables } from '@cairn/outbound';
import { parseConfig } from '@cairn/service-kit';
import { runCommandLine } from './command-line.ts';
import { variables } from './config.ts';

/** What `up` passes on to the services, besides what the services that reach the outside read. */
const PASSED_ON = [
  ...Object.values(outboundVariables).map(({ name }) => name),
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'TZ',
  'NODE_OPTIONS',
  'CAIRN_LOG_LEVEL',
  'CAIRN_LOOP_STALL_MAX_MS',
  'CAIRN_TRUSTED_PROXIES',
  'CAIRN_REFUSED_REQUESTS_PER_SECOND',
  'CAIRN_CONNECTIONS_MAX',
  'CAIRN_CONNECTIONS_PER_ADDRESS_MAX',
  'CAIRN_INGEST_QUEUE_MAX',
  'CAIRN_INGEST_QUEUE_MAX_BYTES',
  'CAIRN_INGEST_THREADS',
  'CAIRN_INGEST_TIMEOUT_MS',
  'CAIRN_INGEST_MEMORY_MAX_MB',
  'CAIRN_INDEX_CACHE_MAX_BYTES',
  'CAIRN_PLANS_FILE',
  'CAIRN_PRICES_FILE',
  'CAIRN_MODELS_FILE',
  'CAIRN_WEB_PROXY',
  'CAIRN_WEB_SEARCH',
  'CAIRN_WEB_SEARCH_URL',
  'CAIRN_WEB_SEARCH_KEY',
  'CAIRN_CRAWL_PAUSE_MS',
  'CAIRN_RESEARCH_RUNS_MAX',
  'CAIRN_RESEARCH_RUNS_PER_TENANT_MAX',
  'CAIRN_RESEARCH_RUN_STALLS_MAX',
  'CAIRN_RESEARCH_WORKERS',
  'CAIRN_RESEARCH_ANALYSIS_TIMEOUT_MS',
  'CAIRN_RESEARCH_ORIGINS',
  'CAIRN_RESEARCH_CONNECT_MS',
  'CAIRN_RESEARCH_CLARIFY_MS',
  'CAIRN_RESEARCH_MODEL_CALL_MS',
  'CAIRN_RESEARCH_UPLOADS_KEEP_MS',
  'CAIRN_RESEARCH_TEXTS_KEEP_MS',
  'CAIRN_WEBHOOK_CONCURRENCY',
  'CAIRN_WEBHOOK_DEACTIVATE_AFTER_HOURS',
  'CAIRN_WEBHOOK_DEACTIVATE_UNPROVEN_AFTER_HOURS',
  'CAIRN_WEBHOOK_DEAD_LETTER_KEEP_DAYS',
  'CAIRN_WEBHOOK_DELIVERED_KEEP_DAYS',
  'CAIRN_WEBHOOK_HOST_IN_FLIGHT_MAX',
  'CAIRN_WEBHOOK_HOST_PER_SECOND_MAX',
  'CAIRN_WEBHOOK_HOST_START_PER_SECOND',
  'CAIRN_WEBHOOK_IN_FLIGHT_MAX',
  'CAIRN_WEBHOOK_TENANT_IN_FLIGHT_MAX',
  'CAIRN_WEBHOOK_TENANT_PER_SECOND_MAX',
  'CAIRN_WEBHOOK_TEST_IN_FLIGHT_MAX',
  'CAIRN_WEBHOOK_TEST_PER_SECOND_MAX',
];

const config = parseConfig(variables, process.env);
const passedEnv = Object.fromEntries(
  PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
process.exitCode = await runCommandLine(process.argv, { ...config, dataDir: resolve(config.dataDir), passedEnv });
