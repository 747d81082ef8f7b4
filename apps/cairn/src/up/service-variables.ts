import { DATABASE_SERVICES, type DatabaseService } from './engines.ts';
import { serviceFile } from './service-process.ts';

export type StartedService = DatabaseService | 'gateway';

/** The environment of this process, or another one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The names of the variables that each service reads, from the list that its own config.ts exports. */
export type ServiceVariables = ReadonlyMap<StartedService, ReadonlySet<string>>;

/** What every program needs that is started on a machine. */
const SYSTEM_VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NODE_OPTIONS'];

export async function readServiceVariables(): Promise<ServiceVariables> {
  const services: StartedService[] = [...DATABASE_SERVICES, 'gateway'];
  const read = services.map(async (name) => {
    const { variables } = (await import(serviceFile(name, 'config.ts'))) as {
      variables: Record<string, { name: string }>;
    };
    return [name, new Set(Object.values(variables).map((variable) => variable.name))] as const;
  });
  return new Map(await Promise.all(read));
}

/** Of the environment what the service reads, and nothing else: no service sees the secrets of another. */
export function environmentOf(names: ReadonlySet<string>, environment: Environment): Record<string, string> {
  return pick([...SYSTEM_VARIABLES, ...names], environment);
}

/** Of the environment what every program needs. */
export function systemEnvironment(environment: Environment): Record<string, string> {
  return pick(SYSTEM_VARIABLES, environment);
}

function pick(names: readonly string[], environment: Environment): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}
