import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  eventually,
  type RunningCairn,
  startCairn,
  startModelServer,
  startTraceReceiver,
  temporaryFolder,
  type TraceReceiver,
  listenOnLoopback,
} from '@cairn/testing';
import { readPanels, RULE_TEST_FILES, RULES_FILE } from './observability-files.ts';
import {
  findPrometheus,
  promtool,
  type PrometheusPrograms,
  type RunningPrometheus,
  startPrometheus,
} from './prometheus.ts';
import { makeTraffic } from './traffic.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'deploy', 'observability');
const TRAFFIC_MS = 25_000;
const TRACE_TIMEOUT_MS = 30_000;

/**
 * `npm run observe [-- --prometheus <folder>]`: starts an installation and makes a little traffic. A real Prometheus
 * scrapes all services; every expression of the dashboard must return data, every rule must be evaluated, and every
 * alert must fire in its test. A trace must lead from a request to the delivery of its webhook. Without Prometheus, on
 * PATH or in the folder, only the trace is looked for.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { prometheus: { type: 'string' } } });
  const programs = await findPrometheus(values.prometheus ?? process.env['PATH'] ?? '');
  if (programs === null) say('SKIPPED: rules and dashboard, as no prometheus and promtool were found.');
  const failures = programs === null ? [] : checkRules(programs);
  const work = await temporaryFolder('cairn-observe-');
  const traces = await startTraceReceiver();
  const models = await startModelServer();
  const hook = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  const hookPort = await listenOnLoopback(hook);
  const modelsFile = join(work, 'models.json');
  await writeFile(modelsFile, JSON.stringify(modelsOf(models.baseUrl)));
  const cairn = await startCairn({
    env: {
      CAIRN_ALLOW_PRIVATE_NETWORK: 'true',
      CAIRN_METRICS_PORT: '0',
      CAIRN_MODELS_FILE: modelsFile,
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
    },
  });
  let prometheus: RunningPrometheus | null = null;
  try {
    if (programs !== null) prometheus = await scrape(programs, cairn, work);
    const stop = new AbortController();
    const traffic = makeTraffic(cairn, `http://127.0.0.1:${hookPort}/hook`, stop.signal);
    await Promise.race([sleep(TRAFFIC_MS), traffic]);
    if (prometheus !== null) failures.push(...(await checkPrometheus(prometheus)));
    stop.abort();
    await traffic;
    failures.push(...(await checkTrace(traces)));
  } finally {
    await prometheus?.close();
    await cairn.remove();
    await Promise.all([traces.close(), models.close()]);
    hook.closeAllConnections();
    hook.close();
    await rm(work, { recursive: true, force: true });
  }
  for (const failure of failures) say(`FAILED  ${failure}`);
  say(failures.length === 0 ? 'Everything that is observed was found.' : `${failures.length} checks failed.`);
  return failures.length === 0 ? 0 : 1;
}

function modelsOf(baseUrl: string) {
  return {
    providers: [{ name: 'local', protocol: 'openai-compatible', base_url: baseUrl, api_key: 'model-server-key' }],
    language_models: [{ name: 'small', provider: 'local' }],
    embedding: { provider: 'local', model: 'vectors', dimensions: 384 },
    reranker: { provider: 'local', model: 'ranks' },
  };
}

/** Every alert fires in its test. */
function checkRules(programs: PrometheusPrograms): string[] {
  const checks = [
    ['check', 'rules', RULES_FILE],
    ['test', 'rules', ...RULE_TEST_FILES],
    ['check', 'config', 'prometheus.yaml'],
  ];
  return checks.flatMap((args) => {
    const said = promtool(programs, FOLDER, args);
    say(`${said === null ? 'ok     ' : 'FAILED '} promtool ${args.join(' ')}`);
    return said === null ? [] : [`promtool ${args.join(' ')}: ${said}`];
  });
}

async function scrape(programs: PrometheusPrograms, cairn: RunningCairn, folder: string): Promise<RunningPrometheus> {
  const file = join(cairn.dataDir, 'addresses.json');
  const { metrics } = JSON.parse(await readFile(file, 'utf8')) as { metrics: Record<string, string> };
  const targets = Object.values(metrics).map((url) => new URL(url).host);
  return startPrometheus(programs, { folder, port: await freePort(), rulesFile: join(FOLDER, RULES_FILE), targets });
}

/** All targets are up, all rules are evaluated, and no panel is empty. */
async function checkPrometheus(prometheus: RunningPrometheus): Promise<string[]> {
  const failures: string[] = [];
  const { up, down } = await prometheus.targets();
  say(`${down.length === 0 ? 'ok     ' : 'FAILED '} ${up} services are scraped`);
  failures.push(...down.map((target) => `not scraped: ${target}`));
  const rules = await prometheus.rules();
  const broken = rules.filter(({ health }) => health !== 'ok');
  say(`${broken.length === 0 ? 'ok     ' : 'FAILED '} ${rules.length - broken.length} rules are evaluated`);
  failures.push(...broken.map(({ name, lastError }) => `rule ${name}: ${lastError ?? 'not evaluated'}`));
  for (const { name } of rules.filter(({ alerts = [] }) => alerts.some(({ state }) => state === 'firing')))
    say(`note    ${name} fires during this run`);
  const panels = await readPanels(FOLDER);
  let withData = 0;
  for (const { row, panel, expr } of panels) {
    const { series, error } = await prometheus.query(expr.replaceAll('$__rate_interval', '30s'));
    if (error === null && series > 0) withData += 1;
    else failures.push(`${row} / ${panel}: ${error ?? 'no data'}: ${expr}`);
  }
  say(
    `${withData === panels.length ? 'ok     ' : 'FAILED '} ${withData} of ${panels.length} panel expressions have data`,
  );
  return failures;
}

async function checkTrace(traces: TraceReceiver): Promise<string[]> {
  const found = await eventually(
    () => traces.spans.find((span) => span.name === 'deliver webhook'),
    (span) => span !== undefined,
    TRACE_TIMEOUT_MS,
  ).catch(() => undefined);
  const services = traces.spans.filter((span) => span.traceId === found?.traceId).map((span) => span.service);
  const isWhole = ['cairn-gateway', 'cairn-memory', 'cairn-webhooks'].every((service) => services.includes(service));
  say(`${isWhole ? 'ok     ' : 'FAILED '} a trace of ${services.length} spans leads from a request to its webhook`);
  return isWhole ? [] : ['no trace leads from a request to the delivery of its webhook'];
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  server.close();
  await once(server, 'close');
  return port;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main();
