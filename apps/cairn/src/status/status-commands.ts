import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICE_NAMES } from '@cairn/contracts';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { type Addresses, ADDRESSES_FILE, readJson } from '../data-folder.ts';
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
    .action(async (service: string | undefined, { lines }: { lines: string }) => {
      const count = Number(lines);
      if (!Number.isInteger(count) || count < 1 || count > LINES_MAX)
        throw new Error(`--lines must be a number from 1 to ${LINES_MAX}.`);
      const named = PARTS.filter((part) => service === undefined || part === service);
      if (named.length === 0) throw new Error(`There is no service “${service}”. There are ${PARTS.join(', ')}.`);
      for (const part of named) await printLog(settings.dataDir, part, count, say);
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

async function printLog(dataDir: string, part: string, count: number, say: (line?: string) => void): Promise<void> {
  const text = await readFile(join(dataDir, 'logs', `${part}.log`), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 0) return say(`${part}: nothing is logged.`);
  for (const line of lines.slice(-count)) say(`${part}: ${line}`);
}
