import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { SERVICE_NAMES, type ServiceName } from '@cairn/contracts';
import { type EmbeddedPostgres, findFreePort, findNatsServer, startPostgres } from '@cairn/embedded';
import { connectEventBus } from '@cairn/events';
import { eventually, temporaryFolder } from '@cairn/testing';
import { api, ingest } from './api.ts';
import type { NewTenant } from './operator.ts';

/** An installation as an operator sets it up on servers of their own, with a certificate for every service. */

const run = promisify(execFile);
const APPS = join(import.meta.dirname, '..', '..', 'apps');
const MOUNTED_AT = '/run/cairn';
const READY_MS = 150_000;

type Part = ServiceName | 'gateway';
type Variables = Record<string, string>;
type Ports = Record<'http' | 'grpc' | 'health', number>;

let root: string;
let postgres: EmbeddedPostgres;
let natsPort: number;
let ports: Record<Part, Ports>;
let baseUrl: string;
let tenant: NewTenant;
let operatorVariables: Variables;
const processes: ChildProcess[] = [];

/** What the command printed. */
async function cairn(args: string[], env: Variables = {}): Promise<string> {
  const command = [join(APPS, 'cairn', 'src', 'main.ts'), ...args];
  return (await run(process.execPath, command, { env: { PATH: process.env['PATH'], ...env } })).stdout;
}

const provision = (...more: string[]) =>
  cairn(
    [
      ...['operator', 'provision', '--out', join(root, 'installation')],
      // Twice the same server, as those of a cluster are named.
      ...['--nats-url', `nats://127.0.0.1:${natsPort},127.0.0.1:${natsPort}`, ...more],
    ],
    { CAIRN_DATABASE_ADMIN_URL: postgres.superuserUrl },
  );

async function readVariables(...path: string[]): Promise<Variables> {
  const lines = (await readFile(join(root, 'installation', ...path), 'utf8')).trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
}

async function startPart(part: Part): Promise<void> {
  const own = Object.entries(await readVariables(part, 'service.env')).map(
    ([name, value]) => [name, value.replace(MOUNTED_AT, join(root, 'installation', part))] as const,
  );
  const grpc = SERVICE_NAMES.map((name) => [`CAIRN_${name.toUpperCase()}_GRPC`, `127.0.0.1:${ports[name].grpc}`]);
  const https = SERVICE_NAMES.map((name) => [
    `CAIRN_${name.toUpperCase()}_HTTP`,
    `https://127.0.0.1:${ports[name].http}`,
  ]);
  const env: Variables = {
    PATH: process.env['PATH']!,
    ...Object.fromEntries([...own, ...grpc, ...(part === 'gateway' ? https : [])]),
    CAIRN_BASE_URL: baseUrl,
    CAIRN_HTTP_LISTEN: `127.0.0.1:${ports[part].http}`,
    CAIRN_GRPC_LISTEN: `127.0.0.1:${ports[part].grpc}`,
    ...(part === 'gateway' ? {} : { CAIRN_HEALTH_LISTEN: `127.0.0.1:${ports[part].health}` }),
    CAIRN_LOG_LEVEL: 'warn',
  };
  const child = fork(join(APPS, part, 'src', 'main.ts'), [], { env, execArgv: [], silent: true });
  processes.push(child);
  const log: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`${part} ended with ${code}: ${log.join('').slice(-2_000)}`)));
  });
}

/** With the users and passwords that were provisioned, and the streams that `cairn operator broker prepare` creates. */
async function startNats(): Promise<void> {
  const dataDir = join(root, 'nats');
  await mkdir(dataDir);
  const cacheDir = process.env['CAIRN_TEST_CACHE_DIR']!;
  const { path } = await findNatsServer({ natsServerPath: undefined, cacheDir, dataDir, log: () => undefined });
  const provisioned = await readFile(join(root, 'installation', 'nats', 'nats.conf'), 'utf8');
  const config = provisioned
    .replace('"0.0.0.0:4222"', `"127.0.0.1:${natsPort}"`)
    .replace('http: "127.0.0.1:8222"\n', '')
    .replace('"/data"', JSON.stringify(dataDir));
  await writeFile(join(dataDir, 'nats.conf'), config);
  processes.push(spawn(path, ['-c', join(dataDir, 'nats.conf')], { stdio: 'ignore' }));
  const natsUrl = operatorVariables['CAIRN_NATS_ADMIN_URL']!;
  // Not the command: it refuses an old server, which this one is where the pinned release cannot be had.
  const bus = await eventually(() => connectEventBus({ natsUrl, name: 'spec' }));
  await bus.close();
}

async function freePorts(): Promise<typeof ports> {
  const parts: Part[] = [...SERVICE_NAMES, 'gateway'];
  // At once, so that none is given out twice.
  const free = await Promise.all(parts.flatMap(() => [findFreePort(), findFreePort(), findFreePort()]));
  return Object.fromEntries(
    parts.map((part, n) => [part, { http: free[3 * n], grpc: free[3 * n + 1], health: free[3 * n + 2] }]),
  ) as typeof ports;
}

beforeAll(async () => {
  root = await temporaryFolder('cairn-mutual-tls-');
  [postgres, natsPort, ports] = await Promise.all([
    startPostgres({
      dataDir: join(root, 'postgres'),
      log: () => undefined,
      settings: { fsync: 'off', synchronous_commit: 'off', max_connections: '200' },
    }),
    findFreePort(),
    freePorts(),
  ]);
  baseUrl = `http://127.0.0.1:${ports.gateway.http}`;
  await provision('--mtls');
  operatorVariables = await readVariables('operator', 'operator.env');
  const owners = join(root, 'installation', 'migrations', 'owners.json');
  await startNats();
  await Promise.all([
    cairn(['operator', 'migrate', '--owners', owners]),
    ...SERVICE_NAMES.map(startPart),
    startPart('gateway'),
  ]);
  const addresses = ['--tenancy', `127.0.0.1:${ports.tenancy.grpc}`, '--keys', `127.0.0.1:${ports.keys.grpc}`];
  const made = await cairn(
    ['operator', 'tenant', 'create', '--name', 'Acme', '--json', ...addresses],
    operatorVariables,
  );
  tenant = JSON.parse(made) as NewTenant;
}, READY_MS);
afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL');
  await postgres.stop('immediate');
  await rm(root, { recursive: true, force: true });
});

it('a document that is added through the gateway is found', async () => {
  await eventually(
    () => fetch(`${baseUrl}/readyz`),
    ({ ok }) => ok,
  );
  const document = { title: 'Rota', content: 'Dana Osei is responsible for the freezer alarm.' };
  await ingest(baseUrl, tenant.api_key, [document], { timeoutMs: 40_000 });
  const found = await api(baseUrl, tenant.api_key, 'POST', '/api/v1/memory/search', {
    query: 'Who is responsible for the freezer alarm?',
  });
  expect(JSON.stringify(found.body)).toContain('Dana Osei');
}, 90_000);

it('the operator has events published again, over TLS as well', async () => {
  const grpc = SERVICE_NAMES.map((name) => [`CAIRN_${name.toUpperCase()}_GRPC`, `127.0.0.1:${ports[name].grpc}`]);
  const printed = await cairn(
    ['operator', 'events', 'replay', '--since', new Date(Date.now() - 3_600_000).toISOString(), '--json'],
    { ...operatorVariables, ...Object.fromEntries(grpc) },
  );
  const results = JSON.parse(printed) as { service: string; replayed: number }[];
  expect(results.find(({ service }) => service === 'tenancy')!.replayed).toBeGreaterThan(0);
}, 60_000);

it('no service answers who has no certificate, but for its health', async () => {
  for (const name of SERVICE_NAMES) {
    const { http, grpc, health } = ports[name];
    expect((await fetch(`http://127.0.0.1:${health}/readyz`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${health}/api/v1/memories`)).status).toBe(404);
    await expect(fetch(`http://127.0.0.1:${http}/readyz`)).rejects.toThrow('fetch failed');
    for (const port of [http, grpc]) expect(await servedTo(null, name, port)).toBeNull();
  }
});

it('all certificates and their authority are replaced under traffic, without a restart or a failed request', async () => {
  const statuses = new Set<number>();
  const request = async () => statuses.add((await api(baseUrl, tenant.api_key, 'GET', '/api/v1/memories')).status);
  let isRotating = true;
  const traffic = (async () => {
    while (isRotating) await request();
  })();
  try {
    await provision('--rotate-certificates');
    for (const part of [...SERVICE_NAMES, 'gateway'] as const) {
      const file = join(root, 'installation', part, 'tls.crt');
      const issued = new X509Certificate(await readFile(file)).fingerprint256;
      const { http, grpc } = ports[part];
      for (const port of part === 'gateway' ? [grpc] : [http, grpc])
        await eventually(
          () => servedTo('operator', part, port),
          (fingerprint) => fingerprint === issued,
        );
    }
  } finally {
    isRotating = false;
    await traffic;
  }
  // More at once than there are connections from before.
  await Promise.all(Array.from({ length: 20 }, request));
  expect(statuses).toEqual(new Set([200]));
  const listed = await cairn(
    ['tenant', 'list', '--json', '--tenancy', `127.0.0.1:${ports.tenancy.grpc}`],
    operatorVariables,
  );
  expect(JSON.stringify(JSON.parse(listed))).toContain(tenant.tenant_id);
}, 90_000);

/** Fingerprint of the certificate that the part serves; null when it closes the connection on such a caller. */
async function servedTo(caller: 'operator' | null, part: Part, port: number): Promise<string | null> {
  const read = (name: string) => readFile(join(root, 'installation', 'operator', name));
  const [ca, cert, key] = await Promise.all(['ca.crt', 'tls.crt', 'tls.key'].map(read));
  const own = caller === null ? {} : { cert: cert!, key: key! };
  return new Promise((resolve, reject) => {
    const servername = `${part}.cairn.internal`;
    const socket = connect({ host: '127.0.0.1', port, ca: ca!, servername, ALPNProtocols: ['h2', 'http/1.1'], ...own });
    let fingerprint = '';
    socket.once('secureConnect', () => {
      fingerprint = socket.getPeerCertificate().fingerprint256;
      // With TLS 1.3 a caller without a certificate is refused only after its side of the handshake.
      if (socket.alpnProtocol === 'http/1.1') socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    });
    socket.once('data', () => {
      socket.destroy();
      resolve(fingerprint);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => (caller === null ? resolve(null) : reject(error)));
    socket.once('close', () => resolve(null));
  });
}
