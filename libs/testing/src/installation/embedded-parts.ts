import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startNats, startPostgres, stopPostgres } from '@cairn/embedded';
import { processesOf, SERVICE_MODULE, servicePids } from './processes-of.ts';
import type { CairnInternals, OwnedSecret, Part } from './running-cairn.ts';

const SIGNING_KEYS = ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage', 'gateway', 'operator'];

/** What specs do with the parts of an installation that runs under `cairn up`. */
export function embeddedParts(dataDir: string, supervisor: number): CairnInternals {
  const postgres = { dataDir: join(dataDir, 'postgres') };
  const nats = { dataDir: join(dataDir, 'nats') };
  const pidsOf = async (service: Part): Promise<number[]> => {
    return (await servicePids(dataDir, supervisor)).get(service) ?? [];
  };
  const partsOf = async (service: Part, file: 'environ' | 'cmdline'): Promise<string[]> => {
    const [pid] = await pidsOf(service);
    if (pid === undefined) throw new Error(`${service} does not run`);
    return (await readFile(`/proc/${pid}/${file}`, 'utf8')).split('\0');
  };
  return {
    async databaseUrl() {
      const url = new URL((await startPostgres(postgres)).superuserUrl);
      url.pathname = '/cairn';
      return url.href;
    },
    eventsUrl: async () => (await startNats(nats)).url,
    async environmentOf(service) {
      const entries = (await partsOf(service, 'environ')).filter((entry) => entry.includes('='));
      return Object.fromEntries(
        entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
      );
    },
    async moduleOf(service) {
      const module = (await partsOf(service, 'cmdline')).find((argument) => SERVICE_MODULE.test(argument));
      if (module === undefined) throw new Error(`${service} has no module on its command line`);
      return module;
    },
    async ownedSecrets() {
      const keys = join(dataDir, 'keys');
      const broker = JSON.parse(await readFile(join(dataDir, 'nats', 'nats-credentials.json'), 'utf8')) as {
        users: Record<string, string>;
        password: string;
      };
      return [
        ...(await databaseSecrets(join(keys, 'database-passwords.json'))),
        ...Object.entries(broker.users).map(([user, secret]) => ({ owner: `${user} nats`, secret })),
        { owner: 'everything nats', secret: broker.password },
        ...SIGNING_KEYS.map((name) => ({ owner: `${name} signing`, secret: join(keys, `${name}.jwk.json`) })),
      ];
    },
    async kill(part) {
      if (part === 'postgres' || part === 'nats') {
        await killEngine(part === 'postgres' ? await startPostgres(postgres) : await startNats(nats));
        return;
      }
      for (const pid of await pidsOf(part)) process.kill(pid, 'SIGKILL');
    },
    async without(part, work) {
      // The supervisor would start the server again at once.
      process.kill(supervisor, 'SIGSTOP');
      try {
        if (part === 'postgres') await stopPostgres({ ...postgres, mode: 'immediate' });
        else await killEngine(await startNats(nats));
        return await work();
      } finally {
        process.kill(supervisor, 'SIGCONT');
      }
    },
    processes: () => processesOf(dataDir, supervisor),
    files: async () => dataDir,
  };
}

async function killEngine({ pid, exited }: { pid: number; exited: Promise<unknown> }): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await exited;
}

/** The passwords of the services' roles, from the file that an installation keeps them in. */
export async function databaseSecrets(file: string): Promise<OwnedSecret[]> {
  const passwords = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, string>>;
  return Object.entries(passwords).flatMap(([service, roles]) =>
    Object.entries(roles).map(([role, secret]) => ({ owner: `${service} ${role}`, secret })),
  );
}
