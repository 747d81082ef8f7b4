import { execFile, execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../machine/temporary-folder.ts';

/** How an installation of deploy/compose is reached, as the credentials file says. */
export interface ComposeAccess {
  /** `docker compose` with the project's files and name. */
  command: string[];
  /** The variables that its file is filled in with. */
  environment: Record<string, string>;
  /** Where a spec's own settings of the services are put. */
  override: string;
}

/** The containers of one Compose project. */
export interface ComposeProject {
  /** Runs `docker compose …` on it and returns what it printed. */
  compose(...args: string[]): Promise<string>;
  inspect(service: string): Promise<{ id: string; variables: string[]; address: string; gateway: string }>;
  /** Copies what a service's container sees at the path into a fresh folder, whether it runs or not; returns the copy. */
  copyOf(service: string, path: string): Promise<string>;
  /** Everything that its containers printed. */
  output(): string;
}

interface Inspected {
  Config: { Env: string[] };
  NetworkSettings: { Networks: Record<string, { IPAddress: string; Gateway: string }> };
}

const run = promisify(execFile);
const OUTPUT_MAX_BYTES = 256 * 1_048_576;

export function composeProject({ command, environment }: ComposeAccess): ComposeProject {
  const [program, ...first] = command as [string, ...string[]];
  const options = { env: { ...process.env, ...environment }, maxBuffer: OUTPUT_MAX_BYTES };
  const docker = async (...args: string[]) => (await run(program, args, options)).stdout;
  const compose = (...args: string[]) => docker(...first, ...args);
  const idOf = async (service: string) => {
    const id = (await compose('ps', '--all', '--quiet', service)).trim();
    if (id === '') throw new Error(`${service} has no container`);
    return id;
  };
  return {
    compose,
    async inspect(service) {
      const id = await idOf(service);
      const [container] = JSON.parse(await docker('inspect', id)) as [Inspected];
      const [network] = Object.values(container.NetworkSettings.Networks);
      return { id, variables: container.Config.Env, address: network!.IPAddress, gateway: network!.Gateway };
    },
    async copyOf(service, path) {
      const folder = await temporaryFolder(`cairn-${service}-`);
      await docker('cp', `${await idOf(service)}:${path}`, folder);
      return join(folder, basename(path));
    },
    output: () => execFileSync(program, [...first, 'logs', '--no-color'], { ...options, encoding: 'utf8' }),
  };
}
