import { execFile, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { findFreePort } from '@cairn/embedded';
import { processorTime, temporaryFolder } from '@cairn/testing';
import { environment, table, writeSection } from '../../measurement/page.ts';
import type { Backing } from './backing.ts';
import type { LoadArguments, LoadResult } from './load.ts';
import { authProxy, plainProxy, upstream } from './nginx.ts';
import { onCore } from './on-core.ts';
import { topOfProfile } from './top-of-profile.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'measurements', 'gateway.md');
/** What is measured has a core of its own; load, upstream and what else there is share the other. */
const MEASURED_CORE = 0;
const OTHER_CORE = 1;
const CONNECTIONS = 64;
const WARM_REQUESTS = 5_000;
const CALLERS = [1, 8, 32];
const run = promisify(execFile);
const here = (file: string) => join(import.meta.dirname, file);

interface Peer {
  name: string;
  url: string;
  /** Whose processor time counts, with their children. */
  pids: number[];
  isWarm?: boolean;
  stop(): void;
}

/** A Node script on a core, which sends a message when it is ready. */
async function script<T>(core: number | null, file: string, args: string[] = [], env?: NodeJS.ProcessEnv) {
  const [command, ...rest] = core === null ? [process.execPath] : onCore(core, [process.execPath]);
  const child = fork(file, args, { execPath: command!, execArgv: rest, ...(env === undefined ? {} : { env }) });
  const ready = await new Promise<T>((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return { ready, pid: child.pid!, child, stop: () => void child.kill('SIGTERM') };
}

async function load(given: LoadArguments): Promise<LoadResult> {
  const [command, ...args] = onCore(OTHER_CORE, [process.execPath, here('load.ts'), JSON.stringify(given)]);
  return JSON.parse((await run(command!, args)).stdout) as LoadResult;
}

interface Measured extends LoadResult {
  cpuMicros: number;
}

/** Load on a peer; without a rate, as much as fits. */
async function measure(peer: Peer, apiKey: string, how: Partial<LoadArguments> = {}): Promise<Measured> {
  const given = { url: `${peer.url}/api/v1/memories`, apiKey, connections: CONNECTIONS, seconds, ...how };
  // Code is compiled by the number of times that it ran.
  for (let warm = 0; warm < WARM_REQUESTS && !peer.isWarm;)
    warm += (await load({ ...given, rate: undefined, connections: CONNECTIONS, seconds: 1 })).requests;
  peer.isWarm = true;
  const before = await processorTime(peer.pids);
  const seen = await load(given);
  const after = await processorTime(peer.pids);
  if (seen.notOk > 0) throw new Error(`${peer.name}: ${seen.notOk} of ${seen.requests} were not answered well`);
  return { ...seen, cpuMicros: ((after.own - before.own) * 1_000) / seen.requests };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

function gatewayEnv(backing: Backing, target: string, port: number): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/bin:/bin',
    CAIRN_HTTP_LISTEN: `127.0.0.1:${port}`,
    CAIRN_GRPC_LISTEN: '127.0.0.1:0',
    CAIRN_KEYS_GRPC: backing.keysGrpc,
    CAIRN_TENANCY_GRPC: backing.tenancyGrpc,
    CAIRN_KEYS_HTTP: target,
    CAIRN_TENANCY_HTTP: target,
    CAIRN_MEMORY_HTTP: target,
    CAIRN_RESEARCH_HTTP: target,
    CAIRN_WEBHOOKS_HTTP: target,
    CAIRN_USAGE_HTTP: target,
    CAIRN_SIGNING_KEY_FILE: backing.signingKeyFile,
    CAIRN_JWKS_FILE: backing.jwksFile,
    CAIRN_REQUEST_KEYS_FILE: backing.requestKeysFile,
    CAIRN_LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
  };
}

const GATEWAY = join(import.meta.dirname, '..', '..', '..', '..', 'apps', 'gateway', 'src', 'main.ts');

async function startPeers(backing: Backing, target: string): Promise<Peer[]> {
  const port = await findFreePort();
  const gateway = await script(MEASURED_CORE, GATEWAY, [], gatewayEnv(backing, target, port));
  const digest = createHash('sha256').update(backing.apiKey).digest('hex');
  const auth = await script<{ url: string }>(MEASURED_CORE, here('auth-peer.ts'), [digest]);
  const express = await script<{ url: string }>(MEASURED_CORE, here('express-peer.ts'), [target]);
  const plain = await plainProxy(MEASURED_CORE, target);
  const withAuth = await authProxy(MEASURED_CORE, target, auth.ready.url);
  return [
    { name: 'Cairn gateway, every check', url: `http://127.0.0.1:${port}`, pids: [gateway.pid], stop: gateway.stop },
    { name: 'nginx, keep-alive proxying', url: plain.url, pids: [plain.pid], stop: plain.stop },
    {
      name: 'nginx, `auth_request` to a Node service',
      url: withAuth.url,
      pids: [withAuth.pid, auth.pid],
      stop: () => [withAuth.stop(), auth.stop()],
    },
    {
      name: 'Express + http-proxy-middleware, no checks',
      url: express.ready.url,
      pids: [express.pid],
      stop: express.stop,
    },
  ];
}

async function measurePeers(peers: Peer[], bare: string, apiKey: string): Promise<string> {
  const saturated = await inTurn(peers, (peer) => measure(peer, apiKey));
  const [gateway, nginx, auth, express] = peers.map(({ name }) => saturated.get(name)!);
  const rate = Math.floor(middle(gateway!, 'perSecond') / 2);
  const upstreamAlone: Peer = { name: 'the bare upstream', url: bare, pids: [], stop: () => undefined };
  const half = await inTurn([...peers, upstreamAlone], (peer) => measure(peer, apiKey, { connections: 256, rate }));
  const [own, nginxHalf] = [half.get(upstreamAlone.name)!, half.get(peers[1]!.name)!];
  const rows = peers.map(({ name }) => {
    const [full, part] = [saturated.get(name)!, half.get(name)!];
    const added = (what: 'p50Ms' | 'p99Ms') => (middle(part, what) - middle(own, what)).toFixed(2);
    return [
      name,
      `${middle(full, 'cpuMicros').toFixed(0)} µs`,
      ratio(full, nginx!).toFixed(2),
      middle(full, 'perSecond').toFixed(0),
      `${middle(part, 'cpuMicros').toFixed(0)} µs`,
      ratio(part, nginxHalf).toFixed(2),
      `${added('p50Ms')} / ${added('p99Ms')} ms`,
    ];
  });
  const head = ['', 'CPU a request, saturated', 'to nginx', 'requests/s on one core', 'CPU at half load', 'to nginx'];
  const [toNginx, toAuth, toExpress] = [nginx!, auth!, express!].map((other) => ratio(gateway!, other));
  const goal = (what: string, met: boolean) => `- ${what}: **${met ? 'met' : 'missed'}**`;
  return [
    table([...head, 'added p50 / p99 at half load'], rows),
    '',
    `Median of ${rounds} rounds of ${seconds} s, peers taken in turn, ratios within each round; ${CONNECTIONS} keep-alive connections, GET of ${'\u200b'}a small JSON answer. Half load is ${rate} requests/s, half of what the gateway carries, for every peer; requests are sent when they are due, whether or not earlier ones have been answered, and timed from then on. The bare upstream at that rate: p50 ${middle(own, 'p50Ms').toFixed(2)} ms, p99 ${middle(own, 'p99Ms').toFixed(2)} ms. Load, upstream (nginx with a fixed answer) and the parts that play keys and tenancy share the other core.`,
    '',
    goal(`at most 2.5 times nginx: ${toNginx!.toFixed(2)}`, toNginx! <= 2.5),
    goal(`less than nginx with an uncached \`auth_request\`: ${toAuth!.toFixed(2)} of it`, toAuth! < 1),
    goal(`at most .55 of Express + http-proxy-middleware: ${toExpress!.toFixed(2)}`, toExpress! <= 0.55),
  ].join('\n');
}

async function inTurn(
  peers: readonly Peer[],
  one: (peer: Peer) => Promise<Measured>,
): Promise<Map<string, Measured[]>> {
  const all = new Map<string, Measured[]>(peers.map((peer) => [peer.name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const peer of peers) {
      const measured = await one(peer);
      all.get(peer.name)!.push(measured);
      process.stdout.write(`${peer.name}: ${JSON.stringify(measured)}\n`);
    }
  return all;
}

const middle = (all: readonly Measured[], what: keyof Measured) => median(all.map((one) => one[what]));

/** Median over the rounds: what else the machine does weighs on both sides of a round. */
function ratio(of: readonly Measured[], to: readonly Measured[]): number {
  return median(of.map((one, round) => one.cpuMicros / to[round]!.cpuMicros));
}

/** One and two processes on one port, on both cores with everything else. */
async function measureProcesses(backing: Backing, target: string): Promise<string> {
  const rows = [];
  for (const processes of [1, 2]) {
    const port = await findFreePort();
    const env = { ...gatewayEnv(backing, target, port), CAIRN_GATEWAY_PROCESSES: String(processes) };
    const gateway = await script(null, GATEWAY, [], env);
    const peer = { name: 'gateway', url: `http://127.0.0.1:${port}`, pids: [gateway.pid], stop: gateway.stop };
    for (const connections of CALLERS) {
      const { perSecond, p50Ms, p99Ms, cpuMicros } = await measure(peer, backing.apiKey, { connections });
      const times = `${p50Ms.toFixed(2)} / ${p99Ms.toFixed(2)} ms`;
      rows.push([String(processes), String(connections), perSecond.toFixed(0), times, `${cpuMicros.toFixed(0)} µs`]);
    }
    peer.stop();
  }
  const head = ['processes', 'callers', 'requests/s', 'p50 / p99', 'CPU a request'];
  return `${table(head, rows)}\n\nCallers that send their next request with the answer to the last one; gateway, load and upstream share both cores.`;
}

/** Where the processor's time goes in the gateway under load. */
async function profile(backing: Backing, target: string): Promise<string> {
  const folder = await temporaryFolder('cairn-profile-');
  const port = await findFreePort();
  const [command, ...rest] = onCore(MEASURED_CORE, [process.execPath]);
  const child = fork(GATEWAY, [], {
    execPath: command!,
    execArgv: [...rest, '--cpu-prof', `--cpu-prof-dir=${folder}`],
    env: gatewayEnv(backing, target, port),
  });
  await new Promise((resolve) => child.once('message', resolve));
  const url = `http://127.0.0.1:${port}/api/v1/memories`;
  await load({ url, apiKey: backing.apiKey, connections: CONNECTIONS, seconds });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  const [file] = await readdir(folder);
  return topOfProfile(JSON.parse(await readFile(join(folder, file!), 'utf8')));
}

const { values } = parseArgs({
  options: {
    'profile-only': { type: 'boolean' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const backing = await script<Backing>(OTHER_CORE, here('backing.ts'));
const bare = await upstream(OTHER_CORE);
const peers = values['profile-only'] === true ? [] : await startPeers(backing.ready, bare.url);
try {
  if (values['profile-only'] === true) process.stdout.write(`${await profile(backing.ready, bare.url)}\n`);
  else await comparePeers();
} finally {
  for (const peer of peers) peer.stop();
  bare.stop();
  backing.child.disconnect();
}

async function comparePeers(): Promise<void> {
  const comparison = await measurePeers(peers, bare.url, backing.ready.apiKey);
  for (const peer of peers) peer.stop();
  const processes = await measureProcesses(backing.ready, bare.url);
  const top = await profile(backing.ready, bare.url);
  const body = `## Beside other ways through\n\n${environment()}. Command: \`npm run bench -- gateway --seconds ${seconds} --rounds ${rounds}\`. nginx is the distribution's package with one worker.\n\n${comparison}\n\n### One and two processes\n\n${processes}\n\n### Where the gateway's time goes\n\n${top}`;
  await writeSection(PAGE, 'Measurements: gateway', 'peers', body);
  process.stdout.write(`${body}\n`);
}
