import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { docker, dockerOutput, program, ROOT } from '../../release/images/docker.ts';

export interface ComposeInstallation {
  baseUrl: string;
  /** Starts again what a spec stopped or started with settings of its own. */
  settle(): Promise<void>;
  /** Creates a tenant as the operator does; returns the variables by which a spec finds it and the operator's commands. */
  createTenant(name: string): Promise<NodeJS.ProcessEnv>;
  /** Writes the output of every container to a file and returns its path. */
  writeLogs(): Promise<string>;
  /** The memory that each container uses now, one per line. */
  memoryUse(): string;
  /** Stops it and deletes its volumes. */
  remove(): void;
}

const COMPOSE_FILE = join(ROOT, 'deploy', 'compose', 'compose.yaml');
const PROJECT = 'cairn-cluster';
const UNCHANGED = '{"services":{}}';
/** PostgreSQL, NATS and seven services. */
const PARTS = 9;
const READY_TIMEOUT_MS = 180_000;
const READY_POLL_MS = 250;
const ATTEMPTS = 4;
const ATTEMPT_PAUSE_MS = 5_000;

/** Starts the installation of deploy/compose on a port of this machine and waits until its gateway is ready. */
export async function startComposeInstallation(port: number, folder: string): Promise<ComposeInstallation> {
  const baseUrl = `http://127.0.0.1:${port}`;
  const project = `--project-name=${PROJECT}`;
  // A spec's own settings of the services; Compose wants the file to be there.
  const override = join(folder, 'override.json');
  const compose = ['compose', `--file=${COMPOSE_FILE}`, `--file=${override}`, project];
  const environment = {
    POSTGRES_PASSWORD: randomBytes(18).toString('base64url'),
    CAIRN_LISTEN: `127.0.0.1:${port}`,
    CAIRN_BASE_URL: baseUrl,
    // Specs are refused on purpose, more often from one address than a client would be by mistake.
    CAIRN_REFUSED_REQUESTS_PER_SECOND: '100000',
  };
  const env = { ...process.env, ...environment };
  await mkdir(folder, { recursive: true });
  await writeFile(override, UNCHANGED);
  const writeLogs = async () => {
    const file = join(folder, 'containers.log');
    await writeFile(file, dockerOutput([...compose, 'logs', '--no-color', '--timestamps'], env), { mode: 0o600 });
    return file;
  };
  const remove = () =>
    docker([...compose, '--progress=quiet', '--profile=operator', 'down', '--volumes', '--timeout=15'], env);
  const up = async () => {
    docker([...compose, '--progress=quiet', 'up', '--detach', '--quiet-pull'], env);
    await waitUntilReady(baseUrl);
  };
  try {
    // What a run that was cut off left behind has another password.
    remove();
    await up();
  } catch (error) {
    await writeLogs();
    remove();
    throw error;
  }
  const operator = [...compose, 'run', '--rm', '--no-TTY', '--quiet-pull', 'cairn'];
  return {
    baseUrl,
    async settle() {
      const changed = (await readFile(override, 'utf8')) !== UNCHANGED;
      await writeFile(override, UNCHANGED);
      const running = dockerOutput([...compose, 'ps', '--quiet', '--status=running'], env)
        .split('\n')
        .filter(Boolean);
      if (changed || running.length < PARTS) await up();
      else await waitUntilReady(baseUrl);
      await waitUntilHealthy(() => dockerOutput([...compose, 'ps', '--format={{.Service}} {{.Health}}'], env));
    },
    async createTenant(name) {
      const printed = await repeatedly(() =>
        dockerOutput([...operator, 'operator', 'tenant', 'create', `--name=${name}`, '--json'], env),
      );
      const tenant = JSON.parse(printed) as Record<string, string>;
      const file = join(folder, `${name}.json`);
      const access = { command: [program(), ...compose, '--progress=quiet'], environment, override };
      const credentials = { ...tenant, base_url: baseUrl, memory_domain: `localhost:${port}`, compose: access };
      await writeFile(file, JSON.stringify(credentials), { mode: 0o600 });
      return { ...env, CAIRN_TEST_INSTALLATION: file, CAIRN_TEST_OPERATOR: JSON.stringify([program(), ...operator]) };
    },
    writeLogs,
    memoryUse() {
      const ids = dockerOutput([...compose, 'ps', '--quiet'], env)
        .split('\n')
        .filter(Boolean);
      return dockerOutput(['stats', '--no-stream', '--format={{.Name}} {{.MemUsage}}', ...ids], env).trimEnd();
    },
    remove,
  };
}

async function waitUntilReady(baseUrl: string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const response = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (response?.ok === true) return;
    await sleep(READY_POLL_MS);
  }
  throw new Error(`the gateway was not ready within ${READY_TIMEOUT_MS / 1_000} s`);
}

/** A gateway is ready while what a spec stopped behind it is still starting, and the next spec would be refused by that. */
async function waitUntilHealthy(list: () => string): Promise<void> {
  for (const deadline = Date.now() + READY_TIMEOUT_MS; ; await sleep(READY_POLL_MS)) {
    const services = list().split('\n').filter(Boolean);
    if (services.filter((line) => line.endsWith(' healthy')).length >= PARTS) return;
    if (Date.now() > deadline) throw new Error(`not every service became healthy: ${services.join(', ')}`);
  }
}

/** On a busy machine, a part that is healthy may still not answer in time; a tenant too many does no harm. */
async function repeatedly(run: () => string): Promise<string> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return run();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(ATTEMPT_PAUSE_MS);
    }
}
