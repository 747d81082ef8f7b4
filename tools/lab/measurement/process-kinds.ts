import { readFile } from 'node:fs/promises';
import { processesOf, processOfEach, processTime } from '@cairn/testing';

/**
 * What each process of an installation is: a service by its name, the processes that it started ("memory’s workers"),
 * PostgreSQL's sessions by the service that they serve, its own processes, and the rest ("nats-server", "supervisor").
 */
export async function processKinds(installation: { dataDir: string; pid: number }): Promise<Map<number, string>> {
  const services = new Map([...(await processOfEach(installation))].map(([service, pid]) => [pid, service]));
  const kinds = new Map<number, string>();
  for (const pid of await processesOf(installation.dataDir, installation.pid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const parent = services.get((await processTime(pid))?.parent ?? 0);
    if (/^postgres:|\/postgres\0/.test(command)) kinds.set(pid, sessionOf(command));
    else if (command.includes('nats-server')) kinds.set(pid, 'nats-server');
    else if (pid === installation.pid) kinds.set(pid, 'supervisor');
    else kinds.set(pid, services.get(pid) ?? (parent === undefined ? 'others' : `${parent}’s workers`));
  }
  return kinds;
}

/** A session's title names its role, which is called after its service. */
function sessionOf(title: string): string {
  const role =
    /^postgres: ([a-z]+)_(?:app|worker|owner)? ?/.exec(title)?.[1] ?? /^postgres: ([a-z]+) cairn/.exec(title)?.[1];
  return role === undefined ? 'PostgreSQL itself' : `PostgreSQL for ${role}`;
}
