import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LSOF_TIMEOUT_MS = 3_000;
/** `TCP_LISTEN` in the kernel's table of socket states. */
const LISTENING = '0A';

/**
 * Who listens on a TCP port of this machine, e.g. `nats-server (pid 123)`. Null when nobody does or the system does not
 * tell; a process of another user is named by its user, because Linux hides its descriptors from us.
 */
export async function describePortOwner(port: number): Promise<string | null> {
  return process.platform === 'linux' ? fromProc(port) : fromLsof(port);
}

interface ListeningSocket {
  inode: string;
  uid: string;
}

async function fromProc(port: number): Promise<string | null> {
  const sockets = [
    ...(await listeningSockets('/proc/net/tcp', port)),
    ...(await listeningSockets('/proc/net/tcp6', port)),
  ];
  if (sockets.length === 0) return null;
  const links = new Set(sockets.map((socket) => `socket:[${socket.inode}]`));
  for (const entry of await readdir('/proc')) {
    if (/^\d+$/.test(entry) && (await holdsSocket(entry, links))) {
      return `${await processName(entry)} (pid ${entry})`;
    }
  }
  return `a process of another user (uid ${sockets[0]!.uid})`;
}

/** Columns of the table: sl, local address, remote address, state, queues, timer, retransmits, uid, timeout, inode. */
async function listeningSockets(table: string, port: number): Promise<ListeningSocket[]> {
  let text: string;
  try {
    text = await readFile(table, 'utf8');
  } catch {
    return [];
  }
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const found: ListeningSocket[] = [];
  for (const line of text.split('\n').slice(1)) {
    const columns = line.trim().split(/\s+/);
    if (columns[3] !== LISTENING || !columns[1]?.endsWith(suffix)) continue;
    found.push({ inode: columns[9] ?? '', uid: columns[7] ?? '?' });
  }
  return found;
}

async function holdsSocket(pid: string, links: Set<string>): Promise<boolean> {
  let descriptors: string[];
  try {
    descriptors = await readdir(`/proc/${pid}/fd`);
  } catch {
    return false;
  }
  for (const descriptor of descriptors) {
    try {
      if (links.has(await readlink(`/proc/${pid}/fd/${descriptor}`))) return true;
    } catch {
      // The descriptor was closed between listing and reading: it is not the one we look for.
    }
  }
  return false;
}

async function processName(pid: string): Promise<string> {
  try {
    return basename((await readlink(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, ''));
  } catch {
    return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'a process')).trim();
  }
}

async function fromLsof(port: number): Promise<string | null> {
  try {
    const { stdout } = await run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
      timeout: LSOF_TIMEOUT_MS,
    });
    const pid = /^p(\d+)$/m.exec(stdout)?.[1];
    const name = /^c(.+)$/m.exec(stdout)?.[1];
    return pid === undefined ? null : `${name ?? 'a process'} (pid ${pid})`;
  } catch {
    return null;
  }
}
