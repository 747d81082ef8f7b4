import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICE_NAMES } from '@cairn/contracts';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { type Addresses, ADDRESSES_FILE, readJson } from '../data-folder.ts';
import { followLog } from './follow-log.ts';
import { isReachable } from './is-reachable.ts';

const LINES_DEFAULT = 50;
const LINES_MAX = 100_000;
const PARTS = ['gateway', ...SERVICE_NAMES] as const;

/** `status` and `logs` of the embedded installation. `onEnd` is given the exit code, 1 when a part does not run. */
export function addStatusCommands(
  program: Command,
  settings: Pick<Config, 'dataDir'>,
  say: (line?: string) => void,
  onEnd: (exitCode: number) => void,
): void {
  program
    .command('status')
    .description('say what of the embedded installation runs; exits with 1 when a part does not')
    .option('--json', 'print JSON instead of lines')
    .action(async ({ json }: { json?: boolean }) => {
      const parts = await partsOf(settings.dataDir);
      const runs = parts.length > 0 && parts.every(({ status }) => status === 'running');
      onEnd(runs ? 0 : 1);
      if (json === true) return say(JSON.stringify({ running: runs, data_folder: settings.dataDir, parts }));
      if (parts.length === 0) return say(`No installation runs on ${settings.dataDir}. Start one with “npm start”.`);
      for (const { part, address, status } of parts) say(`${part.padEnd(10)} ${status.padEnd(12)} ${address}`);
    });
  program
    .command('logs')
    .description('print the last lines of the logs of the embedded services')
    .argument('[service]', `${PARTS.join(', ')}. Default: all`)
    .option('--lines <count>', 'of each log', String(LINES_DEFAULT))
    .option('--follow', 'go on printing what is logged, until Ctrl-C')
    .action(async (service: string | undefined, { lines, follow }: { lines: string; follow?: boolean }) => {
      const count = Number(lines);
      if (!Number.isInteger(count) || count < 1 || count > LINES_MAX)
        throw new Error(`--lines must be a number from 1 to ${LINES_MAX}.`);
      const named = PARTS.filter((part) => service === undefined || part === service);
      if (named.length === 0) throw new Error(`There is no service “${service}”. There are ${PARTS.join(', ')}.`);
      const sizes: number[] = [];
      for (const part of named) sizes.push(await printLog(settings.dataDir, part, count, say));
      if (follow === true)
        await Promise.all(named.map((part, index) => followPart(settings.dataDir, part, sizes[index]!, say)));
    });
}

interface Part {
  part: string;
  address: string;
  status: 'running' | 'unreachable';
}

/** Every part that the running installation wrote an address of. */
async function partsOf(dataDir: string): Promise<Part[]> {
  const addresses = await readJson<Addresses>(join(dataDir, ADDRESSES_FILE));
  if (addresses === null) return [];
  const { metrics: _metrics, ...named } = addresses;
  return Promise.all(
    Object.entries(named).map(async ([name, address]): Promise<Part> => {
      const part = name.replace(/Grpc$/, '');
      return { part, address, status: (await isReachable(address)) ? 'running' : 'unreachable' };
    }),
  );
}

const fileOf = (dataDir: string, part: string) => join(dataDir, 'logs', `${part}.log`);

/** Prints the last whole lines of the log and returns how many bytes of it have been looked at. */
async function printLog(dataDir: string, part: string, count: number, say: (line?: string) => void): Promise<number> {
  const bytes = await readFile(fileOf(dataDir, part)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const end = bytes.lastIndexOf(0x0a) + 1;
  const text = bytes.toString('utf8', 0, end);
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 0) say(`${part}: nothing is logged.`);
  for (const line of lines.slice(-count)) say(`${part}: ${line}`);
  return end;
}

/** Prints what is added to the log, without an end. */
async function followPart(dataDir: string, part: string, from: number, say: (line?: string) => void): Promise<void> {
  const untilKilled = new AbortController().signal;
  for await (const line of followLog(fileOf(dataDir, part), from, untilKilled))
    if (line !== '') say(`${part}: ${line}`);
}
