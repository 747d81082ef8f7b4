import { readdir, readFile } from 'node:fs/promises';

/** Every process of the installation: descendants, and engines that name its folder on their command line. Linux only. */
export async function processesOf(dataDir: string, rootPid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  const byFolder = new Set<number>();
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const status = await readFile(`/proc/${entry}/status`, 'utf8').catch(() => '');
    const parent = /^PPid:\s+(\d+)/m.exec(status)?.[1];
    if (parent === undefined || /^State:\s+Z/m.test(status)) continue;
    parents.set(pid, Number(parent));
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(dataDir)) byFolder.add(pid);
  }
  const isOurs = (pid: number): boolean => {
    for (let current: number | undefined = pid; current !== undefined && current > 1; current = parents.get(current)) {
      if (current === rootPid || byFolder.has(current)) return true;
    }
    return false;
  };
  return [...parents.keys()].filter(isOurs);
}

/** A service's module on its command line: its source, or the bundle of it. */
export const SERVICE_MODULE = /\bapps[/-](\w+)[/-]src[/-]main\.m?[tj]s/;

/** Service → its process; of several, the first. */
export async function processOfEach(installation: { dataDir: string; pid: number }): Promise<Map<string, number>> {
  const all = await servicePids(installation.dataDir, installation.pid);
  return new Map([...all].map(([service, pids]) => [service, pids[0]!]));
}

/** Service → its processes, of an installation whose supervisor is `rootPid`; without the supervisor itself. */
export async function servicePids(dataDir: string, rootPid: number): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (const pid of await processesOf(dataDir, rootPid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const service = SERVICE_MODULE.exec(command)?.[1];
    if (service !== undefined && service !== 'cairn') found.set(service, [...(found.get(service) ?? []), pid]);
  }
  return found;
}
