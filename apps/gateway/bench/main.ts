import { execFile, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { findFreePort } from '@cairn/embedded';
import { environment, processorTime, table, temporaryFolder, writeSection } from '@cairn/testing';
import type { Backing } from './backing.ts';
import type { LoadArguments, LoadSeen } from './load.ts';
import { authProxy, plainProxy, upstream } from './nginx.ts';
import { onCore } from './on-core.ts';
import { topOfProfile } from './top-of-profile.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'measurements', 'gateway.md');
/** What is measured has a core of its own; load, upstream and what else there is share the other. */
const MEASURED_CORE = 0;
const OTHER_CORE = 1;
const CONNECTIONS = 64;
const SECONDS = 5;
const ROUNDS = 3;
const run = promisify(execFile);
const here = (file: string) => join(import.meta.dirname, file);

interface Peer {
  name: string;
  url: string;
  pids: number[];
  stop(): void;
}

/** A Node script on a core, which sends a message when it is ready. */
async function script<T>(core: number, file: string, args: string[] = [], env?: NodeJS.ProcessEnv) {
  const [command, ...rest] = onCore(core, [process.execPath]);
  const child = fork(file, args, { execPath: command!, execArgv: rest, ...(env === undefined ? {} : { env }) });
  const ready = await new Promise<T>((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return { ready, pid: child.pid!, child, stop: () => void child.kill('SIGTERM') };
}

async function load(given: LoadArguments): Promise<LoadSeen> {
  const [command, ...args] = onCore(OTHER_CORE, [process.execPath, here('load.ts'), JSON.stringify(given)]);
  return JSON.parse((await run(command!, args)).stdout) as LoadSeen;
}

interface Saturated {
  perSecond: number;
  cpuMicros: number;
}

async function saturate(peer: Peer, apiKey: string): Promise<Saturated> {
  const url = `${peer.url}/api/v1/memories`;
  await load({ url, apiKey, connections: CONNECTIONS, seconds: 1 });
  const before = await processorTime(peer.pids);
  const seen = await load({ url, apiKey, connections: CONNECTIONS, seconds: SECONDS });
  const after = await processorTime(peer.pids);
  if (seen.notOk > 0) throw new Error(`${peer.name}: ${seen.notOk} of ${seen.requests} were not answered well`);
  return { perSecond: seen.perSecond, cpuMicros: ((after.own - before.own) * 1_000) / seen.requests };
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

const GATEWAY = join(import.meta.dirname, '..', 'src', 'main.ts');

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
  const seen = new Map<string, Saturated[]>(peers.map((peer) => [peer.name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const peer of peers) {
      const one = await saturate(peer, apiKey);
      seen.get(peer.name)!.push(one);
      process.stdout.write(`${peer.name}: ${one.cpuMicros.toFixed(1)} µs, ${one.perSecond.toFixed(0)}/s\n`);
    }
  const cpuOf = (name: string) => median(seen.get(name)!.map((one) => one.cpuMicros));
  const rateOf = (name: string) => median(seen.get(name)!.map((one) => one.perSecond));
  const nginx = cpuOf(peers[1]!.name);
  const rate = Math.floor(rateOf(peers[0]!.name) / 2);
  const latency = async (url: string) => {
    const all: LoadSeen[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      all.push(await load({ url: `${url}/api/v1/memories`, apiKey, connections: 32, seconds: SECONDS, rate }));
    return { p50: median(all.map((one) => one.p50Ms)), p99: median(all.map((one) => one.p99Ms)) };
  };
  const own = await latency(bare);
  const rows = [];
  for (const { name, url } of peers) {
    const { p50, p99 } = await latency(url);
    rows.push([
      name,
      `${cpuOf(name).toFixed(0)} µs`,
      (cpuOf(name) / nginx).toFixed(2),
      rateOf(name).toFixed(0),
      `${(p50 - own.p50).toFixed(2)} / ${(p99 - own.p99).toFixed(2)} ms`,
    ]);
  }
  const [gateway, , auth, express] = peers.map((peer) => cpuOf(peer.name)) as [number, number, number, number];
  const goal = (what: string, met: boolean) => `- ${what}: **${met ? 'met' : 'missed'}**`;
  return [
    table(['', 'CPU a request', 'to nginx', 'requests/s on one core', 'added p50 / p99 at half load'], rows),
    '',
    `Median of ${ROUNDS} rounds of ${SECONDS} s, peers taken in turn; ${CONNECTIONS} keep-alive connections, GET of ${'\u200b'}a small JSON answer. Half load is ${rate} requests/s, half of what the gateway carries. The bare upstream at that rate: p50 ${own.p50.toFixed(2)} ms, p99 ${own.p99.toFixed(2)} ms. Load, upstream (nginx with a fixed answer) and the parts that play keys and tenancy share the other core.`,
    '',
    goal(`at most 3.5 times nginx: ${(gateway / nginx).toFixed(2)}`, gateway / nginx <= 3.5),
    goal(`less than nginx with an uncached \`auth_request\`: ${(gateway / auth).toFixed(2)} of it`, gateway < auth),
    goal(
      `at most .55 of Express + http-proxy-middleware: ${(gateway / express).toFixed(2)}`,
      gateway / express <= 0.55,
    ),
  ].join('\n');
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
  await load({ url, apiKey: backing.apiKey, connections: CONNECTIONS, seconds: SECONDS });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  const [file] = await readdir(folder);
  return topOfProfile(JSON.parse(await readFile(join(folder, file!), 'utf8')));
}

const { values } = parseArgs({ options: { 'profile-only': { type: 'boolean' } } });
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
  const top = await profile(backing.ready, bare.url);
  const body = `## Beside other ways through\n\n${environment()}. Command: \`npm run bench -- gateway\`. nginx is the distribution's package with one worker.\n\n${comparison}\n\n### Where the gateway's time goes\n\n${top}`;
  await writeSection(PAGE, 'Measurements: gateway', 'peers', body);
  process.stdout.write(`${body}\n`);
}
