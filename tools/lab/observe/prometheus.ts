import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Prometheus and its tool, as a package of the operating system installs them. */
export interface PrometheusPrograms {
  prometheus: string;
  promtool: string;
}

/** Looks for both in the folders; null when one is missing. */
export async function findPrometheus(path: string): Promise<PrometheusPrograms | null> {
  const find = async (name: string) => {
    for (const folder of path.split(delimiter)) {
      const file = join(folder, name);
      if (await access(file).then(isThere, isMissing)) return file;
    }
    return null;
  };
  const [prometheus, promtool] = await Promise.all([find('prometheus'), find('promtool')]);
  return prometheus === null || promtool === null ? null : { prometheus, promtool };
}

const isThere = () => true;
const isMissing = () => false;
const PROMTOOL_TIMEOUT_MS = 60_000;

/** Runs promtool in the folder; returns what it said when it failed. */
export function promtool(programs: PrometheusPrograms, folder: string, args: readonly string[]): string | null {
  const run = spawnSync(programs.promtool, args, { cwd: folder, encoding: 'utf8', timeout: PROMTOOL_TIMEOUT_MS });
  return run.status === 0 ? null : `${run.stdout}${run.stderr}${run.error?.message ?? ''}`;
}

interface QueryResult {
  /** Series with a value that is a number. */
  series: number;
  error: string | null;
}

interface RuleState {
  name: string;
  health: string;
  lastError?: string;
  alerts?: { state: string }[];
}

export interface RunningPrometheus {
  query(expr: string): Promise<QueryResult>;
  /** Targets that were scraped, and those that were not. */
  targets(): Promise<{ up: number; down: string[] }>;
  rules(): Promise<RuleState[]>;
  close(): Promise<void>;
}

const READY_TIMEOUT_MS = 30_000;
const POLL_MS = 200;

/** Starts Prometheus on loopback with the rules of the folder, scraping every second. */
export async function startPrometheus(
  { prometheus }: PrometheusPrograms,
  options: { folder: string; port: number; rulesFile: string; targets: readonly string[] },
): Promise<RunningPrometheus> {
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [options.rulesFile],
    scrape_configs: [{ job_name: 'cairn', static_configs: [{ targets: options.targets }] }],
  };
  const file = join(options.folder, 'prometheus.yml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify(config));
  const child = spawn(
    prometheus,
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(options.folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${options.port}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said = `${said}${bytes.toString()}`.slice(-4_000)));
  const url = `http://127.0.0.1:${options.port}`;
  const get = async <T>(path: string) => (await (await fetch(`${url}${path}`)).json()) as T;
  await waitUntilReady(child, url, () => said);
  return {
    async query(expr) {
      const { data, error } = await get<{ data?: { result: { value: [number, string] }[] }; error?: string }>(
        `/api/v1/query?query=${encodeURIComponent(expr)}`,
      );
      const numbers = (data?.result ?? []).filter(({ value }) => value[1] !== 'NaN');
      return { series: numbers.length, error: error ?? null };
    },
    async targets() {
      const { data } = await get<{
        data: { activeTargets: { health: string; scrapeUrl: string; lastError: string }[] };
      }>('/api/v1/targets');
      const down = data.activeTargets.filter(({ health }) => health !== 'up');
      return {
        up: data.activeTargets.length - down.length,
        down: down.map(({ scrapeUrl, lastError }) => `${scrapeUrl}: ${lastError}`),
      };
    },
    async rules() {
      const { data } = await get<{ data: { groups: { rules: RuleState[] }[] } }>('/api/v1/rules');
      return data.groups.flatMap(({ rules }) => rules);
    },
    async close() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function waitUntilReady(child: ChildProcess, url: string, said: () => string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const ready = await fetch(`${url}/-/ready`).catch(() => null);
    if (ready?.ok === true) return;
    await sleep(POLL_MS);
  }
  child.kill('SIGKILL');
  throw new Error(`Prometheus did not become ready: ${said()}`);
}
