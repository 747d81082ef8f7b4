import { createServer } from 'node:net';
import { join } from 'node:path';
import { EmbeddedStartError } from '../embedded-start-error.ts';
import { describePortOwner } from './port-owner.ts';
import { readFileIfThere, writePrivateFile } from '../files/private-file.ts';

/** Below those that systems give to connections on their way out (32768 and up on Linux, 49152 and up elsewhere). */
const PORTS_FROM = 15_000;
const PORTS = 17_000;
const TRIES = 500;
/** More than one process asks for; processes that look for ports at the same time begin at different places. */
const PORTS_OF_A_PROCESS = 64;

let next = process.pid * PORTS_OF_A_PROCESS;
const reserved = new Set<number>();

/** Promises a port to a server that is started later: this process finds it free for nobody else. */
export function reservePort(port: number): void {
  reserved.add(port);
}

/**
 * A TCP port on loopback that nothing listens on at this moment, another one each time. The system gives it to nobody
 * by itself: until its server listens, a connection of some other program could have had it.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = PORTS_FROM + (next % PORTS);
    next += 1;
    if (!reserved.has(port) && (await isPortFree(port))) return port;
  }
  return listenOnce(0);
}

/** Whether a server could listen on this loopback port now. */
async function isPortFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch {
    return false;
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}

/** The refusal for a port that someone else has; it names the port and, where the system reports it, the process. */
export async function portInUse(server: string, port: number): Promise<EmbeddedStartError> {
  const owner = (await describePortOwner(port)) ?? 'another process';
  return new EmbeddedStartError(
    'port_in_use',
    `${server} cannot listen on 127.0.0.1:${port}: the port is in use by ${owner}.`,
    `Stop ${owner} or choose another port than ${port}.`,
  );
}

interface PortChoice {
  server: string;
  dataDir: string;
  /** The port the caller insists on; without it any free one will do. */
  wanted: number | undefined;
  log: (line: string) => void;
}

/**
 * The port to listen on: the wanted one or a refusal; else the one this folder used before, so that URLs stay the same
 * over restarts; else any free one.
 */
export async function choosePort(choice: PortChoice): Promise<number> {
  if (choice.wanted !== undefined && choice.wanted !== 0) {
    if (await isPortFree(choice.wanted)) return choice.wanted;
    throw await portInUse(choice.server, choice.wanted);
  }
  const remembered = Number(await readFileIfThere(portFile(choice.dataDir)));
  if (Number.isInteger(remembered) && remembered > 0 && remembered < 65_536) {
    if (await isPortFree(remembered)) return remembered;
    const owner = (await describePortOwner(remembered)) ?? 'another process';
    choice.log(`${choice.server}: port ${remembered} of the last start is in use by ${owner}, taking another`);
  }
  return findFreePort();
}

/** Keeps the port for the next start in this folder. */
export async function storePort(dataDir: string, port: number): Promise<void> {
  const known = await readFileIfThere(portFile(dataDir));
  if (known?.trim() !== String(port)) await writePrivateFile(portFile(dataDir), `${port}\n`);
}

function portFile(dataDir: string): string {
  return join(dataDir, 'port');
}
