import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import type { ComposeProject } from './compose-project.ts';
import { databaseSecrets } from './embedded-parts.ts';
import type { CairnInternals, OwnedSecret, Part } from './running-cairn.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';

const APPS = join(import.meta.dirname, '..', '..', '..', '..', 'apps');
export const SERVICES = ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage', 'gateway'] as const;
const PARTS: readonly Part[] = ['postgres', 'nats', ...SERVICES];
/** Where each part keeps what outlives it. */
const VOLUMES: [Part, string][] = [
  ['postgres', '/var/lib/postgresql/data'],
  ['nats', '/data'],
  ['gateway', '/var/lib/cairn'],
];
/** They say where the container itself listens, keeps its state and finds its programs. */
const OF_THE_CONTAINER = ['PATH', 'NODE_ENV', 'CAIRN_GATEWAY_ADDRESS', 'CAIRN_STATE_DIR'];
const MOUNTED_AT = '/run/cairn';

/** What specs do with the parts of an installation that runs in containers. */
export function composeInternals(
  project: ComposeProject,
  superuserPassword: string,
): CairnInternals & { start(): Promise<void> } {
  const start = async () => {
    await project.compose('up', '--detach', '--quiet-pull');
  };
  let stateFolder: Promise<string> | null = null;
  return {
    start,
    async databaseUrl() {
      return `postgres://postgres:${superuserPassword}@${(await project.inspect('postgres')).address}:5432/cairn`;
    },
    async eventsUrl() {
      const file = await project.copyOf('provision', '/installation/operator/operator.env');
      const url = new URL(parseEnv(await readFile(file, 'utf8'))['CAIRN_NATS_ADMIN_URL']!);
      url.hostname = (await project.inspect('nats')).address;
      return url.href;
    },
    async environmentOf(service) {
      const environment = await environmentOf(project, service);
      // Replicas of a spec share a folder as the processes of one machine do, or what one held when it was killed is lost.
      if (service === 'gateway')
        environment['CAIRN_STATE_DIR'] = await (stateFolder ??= temporaryFolder('cairn-state-'));
      return environment;
    },
    moduleOf: async (service) => join(APPS, service, 'src', 'main.ts'),
    async ownedSecrets() {
      const folder = await project.copyOf('provision', '/installation/operator/keys');
      const read = async (name: string) =>
        JSON.parse(await readFile(join(folder, name), 'utf8')) as Record<string, string>;
      const signing: OwnedSecret[] = [];
      for (const owner of [...SERVICES, 'operator'])
        signing.push({ owner: `${owner} signing`, secret: (await read(`${owner}.jwk.json`))['d']! });
      const broker = Object.entries(await read('broker-passwords.json')).map(([user, secret]) => ({
        owner: user === 'cairn' ? 'everything nats' : `${user} nats`,
        secret,
      }));
      return [...(await databaseSecrets(join(folder, 'database-passwords.json'))), ...broker, ...signing];
    },
    async kill(part) {
      // From inside, as a crash: what `docker kill` ended, Docker would not start again. A container that is down already
      // cannot be killed, and the command's own shell ends with the rest.
      await project.compose('exec', '--no-TTY', part, 'sh', '-c', 'kill -9 -1').catch(() => undefined);
    },
    async without(part, work) {
      await project.compose('kill', '--signal=SIGKILL', part);
      try {
        return await work();
      } finally {
        await start();
      }
    },
    async processes() {
      return (await project.compose('ps', '--quiet', '--status=running')).split('\n').filter(Boolean);
    },
    async files() {
      const folder = await temporaryFolder('cairn-volumes-');
      for (const [part, path] of VOLUMES) {
        await mkdir(join(folder, part));
        await cp(await project.copyOf(part, path), join(folder, part), { recursive: true });
      }
      await writeFile(join(folder, 'output.log'), project.output());
      return folder;
    },
  };
}

async function environmentOf(project: ComposeProject, service: Part): Promise<Record<string, string>> {
  const { variables } = await project.inspect(service);
  const folder = await project.copyOf(service, MOUNTED_AT);
  const all: NodeJS.Dict<string> = {
    ...Object.fromEntries(variables.map((entry) => entry.split(/=(.*)/s) as [string, string])),
    ...parseEnv(await readFile(join(folder, 'service.env'), 'utf8')),
  };
  for (const name of OF_THE_CONTAINER) delete all[name];
  const addresses = new Map<string, string>();
  for (const part of PARTS) addresses.set(part, (await project.inspect(part)).address);
  // A port and no password that begins with a digit: users of the broker are called like the parts.
  const here = (value: string) =>
    value
      .replaceAll(MOUNTED_AT, folder)
      .replace(/(?<=^|[@/,])[a-z]+(?=:\d{1,5}(?:[/,?]|$))/g, (name) => addresses.get(name) ?? name);
  const entries = Object.entries(all).map(([name, value]) => [name, here(value ?? '')]);
  return {
    ...(Object.fromEntries(entries) as Record<string, string>),
    PATH: process.env['PATH']!,
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'container-names.ts')).href}`,
    CAIRN_TEST_CONTAINERS: JSON.stringify(Object.fromEntries(addresses)),
  };
}
