import { resolve } from 'node:path';
import { parseConfig } from '@cairn/service-kit';
import { runCommandLine } from './command-line.ts';
import { variables } from './config.ts';

const PASSED_ON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'TZ',
  'NODE_OPTIONS',
  'CAIRN_LOG_LEVEL',
  'CAIRN_TRUSTED_PROXIES',
  'CAIRN_INGEST_QUEUE_MAX',
  'CAIRN_INGEST_QUEUE_MAX_BYTES',
  'CAIRN_INGEST_THREADS',
  'CAIRN_INGEST_TIMEOUT_MS',
  'CAIRN_INGEST_MEMORY_MAX_MB',
  'CAIRN_INDEX_CACHE_MAX_BYTES',
  'CAIRN_PLANS_FILE',
  'CAIRN_ALLOW_PRIVATE_NETWORK',
  'CAIRN_OUTBOUND_PROXY',
  'CAIRN_OUTBOUND_CA_FILE',
  'CAIRN_PRICES_FILE',
  'CAIRN_MODELS_FILE',
];

const config = parseConfig(variables, process.env);
const passedEnv = Object.fromEntries(
  PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
process.exitCode = await runCommandLine(process.argv, { ...config, dataDir: resolve(config.dataDir), passedEnv });
