import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Where the data folder is seen by the servers, which run below another root. */
export const DATA_IN_ROOT = '/mnt';
export const CLIENT_ADDRESS = '10.77.0.254';
const BRIDGE = 'br0';

/** A machine of the cluster: a network namespace with an address, and a folder. */
export interface Host {
  name: string;
  address: string;
  folder: string;
  /** The folder as its servers see it. */
  folderInRoot: string;
}

export interface Network {
  hosts: Host[];
  /** The folder below which the servers' programs are. */
  root: string;
  /** Where the hosts' folders are. */
  folder: string;
  /** Starts a program on the host; its output goes to `<folder>/<name>.log`. */
  start(host: Host, name: string, command: readonly string[], options?: StartOptions): ChildProcess;
  /** Runs a program on the host to its end and returns what it printed. */
  run(host: Host, command: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
  /** Neither hears the other until `heal`. */
  partition(a: Host, b: Host): Promise<void>;
  /** Every packet between hosts takes longer, and some are lost, until `heal`. */
  slow(options: { delayMs: number; loss: number }): Promise<void>;
  heal(): Promise<void>;
}

interface StartOptions {
  env?: NodeJS.ProcessEnv;
  /** Runs below the root of the servers, as this user. */
  inRoot?: { user: string };
  cwd?: string;
}

/** Commands of the machine that makes the network; the process must be in namespaces of its own. */
export async function sh(program: string, ...args: string[]): Promise<string> {
  return (await run(program, args, { maxBuffer: 64 * 1_048_576 })).stdout;
}

/** Makes the hosts, joined by a bridge on which this process has an address, too. */
export async function createNetwork(count: number, root: string, folder: string): Promise<Network> {
  await sh('ip', 'link', 'set', 'lo', 'up');
  await sh('mkdir', '-p', '/run/netns');
  await sh('mount', '-t', 'tmpfs', 'tmpfs', '/run/netns');
  await sh('ip', 'link', 'add', BRIDGE, 'type', 'bridge');
  await sh('ip', 'addr', 'add', `${CLIENT_ADDRESS}/24`, 'dev', BRIDGE);
  await sh('ip', 'link', 'set', BRIDGE, 'up');
  const hosts: Host[] = [];
  for (let n = 1; n <= count; n += 1) hosts.push(await createHost(n, folder));
  const enter = (host: Host) => ['nsenter', `--net=/run/netns/${host.name}`, '--'];
  let wire: ChildProcess | null = null;
  return {
    hosts,
    root,
    folder,
    start(host, name, command, { env, inRoot, cwd } = {}) {
      const below = inRoot === undefined ? [] : ['chroot', `--userspec=${inRoot.user}:${inRoot.user}`, root];
      const [program, ...args] = [...enter(host), ...below, ...command] as [string, ...string[]];
      const log = openSync(join(host.folder, `${name}.log`), 'a');
      const child = spawn(program, args, { stdio: ['ignore', log, log], ...(env && { env }), ...(cwd && { cwd }) });
      closeSync(log);
      child.on('error', () => undefined);
      return child;
    },
    async run(host, command, env) {
      const [program, ...args] = [...enter(host), ...command] as [string, ...string[]];
      return (await run(program, args, { maxBuffer: 64 * 1_048_576, ...(env && { env }) })).stdout;
    },
    async partition(a, b) {
      for (const [here, there] of [
        [a, b],
        [b, a],
      ] as const) {
        const rules = `table ip cut { chain in { type filter hook input priority 0; ip saddr ${there.address} drop; }; chain out { type filter hook output priority 0; ip daddr ${there.address} drop; }; }`;
        await run('nsenter', [`--net=/run/netns/${here.name}`, 'nft', rules]);
      }
    },
    async slow({ delayMs, loss }) {
      const args = [join(import.meta.dirname, 'slow-wire.py'), String(delayMs), String(loss), BRIDGE];
      wire = spawn('python3', [...args, ...hosts.map((host) => `${host.name}=${host.address}/24`)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      await new Promise<void>((resolve, reject) => {
        wire!.stdout!.once('data', () => resolve());
        wire!.once('exit', (code) => reject(new Error(`the slow wire ended with ${code}`)));
      });
    },
    async heal() {
      for (const host of hosts) await sh('ip', 'netns', 'exec', host.name, 'nft', 'flush', 'ruleset');
      if (wire === null) return;
      const ended = new Promise((resolve) => wire!.once('exit', resolve));
      wire.stdin!.end();
      await ended;
      wire = null;
    },
  };
}

async function createHost(n: number, folder: string): Promise<Host> {
  const name = `h${n}`;
  const host = {
    name,
    address: `10.77.0.${n}`,
    folder: join(folder, name),
    folderInRoot: join(DATA_IN_ROOT, name),
  };
  await mkdir(host.folder, { recursive: true });
  await sh('ip', 'netns', 'add', name);
  await sh('ip', 'link', 'add', `v${n}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  await sh('ip', 'link', 'set', `v${n}`, 'master', BRIDGE, 'up');
  await sh('ip', '-n', name, 'addr', 'add', `${host.address}/24`, 'dev', 'eth0');
  await sh('ip', '-n', name, 'link', 'set', 'eth0', 'up');
  await sh('ip', '-n', name, 'link', 'set', 'lo', 'up');
  return host;
}
