import { z } from 'zod';

/** One environment variable: its name, what it may be, and what it does. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  name: string;
  schema: Schema;
  effect: string;
}

export function variable<Schema extends z.ZodType>(name: string, schema: Schema, effect: string): Variable<Schema> {
  return { name, schema, effect };
}

export type ConfigOf<Variables extends Record<string, Variable>> = {
  readonly [Key in keyof Variables]: z.output<Variables[Key]['schema']>;
};

/** Every problem of a configuration at once; the process refuses to start. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`the configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the variables from `env` into a frozen object; an empty string counts as not set. */
export function parseConfig<Variables extends Record<string, Variable>>(
  variables: Variables,
  env: Readonly<Record<string, string | undefined>>,
): ConfigOf<Variables> {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [key, { name, schema }] of Object.entries(variables)) {
    const raw = env[name];
    const parsed = schema.safeParse(raw === '' ? undefined : raw);
    if (parsed.success) config[key] = parsed.data;
    else
      problems.push(
        `${name} ${raw === undefined || raw === '' ? 'is not set and' : ''} ${parsed.error.issues[0]?.message ?? 'is not valid'}`.replace(
          /\s+/g,
          ' ',
        ),
      );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config) as ConfigOf<Variables>;
}

export interface ListenAddress {
  host: string;
  port: number;
}

/** `host:port`, with `[…]` around an IPv6 address. Port 0 takes a free one. */
export const listenAddress = z.string().transform((value, context): ListenAddress => {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(value);
  if (match === null || Number(match[3]) > 65_535) {
    context.addIssue('must be host:port');
    return z.NEVER;
  }
  return { host: match[1] ?? match[2] ?? '', port: Number(match[3]) };
});

/** What every service is told. */
export const serviceVariables = {
  httpListen: variable(
    'CAIRN_HTTP_LISTEN',
    listenAddress.prefault('127.0.0.1:0'),
    'Address the HTTP server listens on.',
  ),
  grpcListen: variable(
    'CAIRN_GRPC_LISTEN',
    listenAddress.prefault('127.0.0.1:0'),
    'Address the gRPC server listens on.',
  ),
  databaseUrl: variable(
    'DATABASE_URL',
    z.url(),
    'PostgreSQL, as the role that serves requests; row-level security binds it.',
  ),
  databaseWorkerUrl: variable('DATABASE_WORKER_URL', z.url(), 'PostgreSQL, as the role of the background work.'),
  databasePoolMax: variable(
    'DATABASE_POOL_MAX',
    z.coerce.number().int().min(1).max(500).default(10),
    'Connections the serving pool holds at most. One tenant holds two fifths of them at a time, and at least two.',
  ),
  natsUrl: variable(
    'NATS_URL',
    z.string().min(1),
    'NATS with JetStream, e.g. nats://keys:password@host:4222. As a user with the name of the service it does not manage streams; as any other it does.',
  ),
  signingKeyFile: variable(
    'CAIRN_SIGNING_KEY_FILE',
    z.string().min(1),
    "Private Ed25519 JWK; signs the part's own calls.",
  ),
  jwksFile: variable('CAIRN_JWKS_FILE', z.string().min(1), 'Public keys of the gateways and services, as a JWK set.'),
  loopStallMaxMs: variable(
    'CAIRN_LOOP_STALL_MAX_MS',
    z.coerce.number().int().min(0).default(20_000),
    'How long the event loop may stand still before the process ends itself, to be started again; 0: for ever.',
  ),
  requestKeysFile: variable(
    'CAIRN_REQUEST_KEYS_FILE',
    z.string().min(1),
    "JWK set of symmetric keys that bind each request to its service. A service's holds the keys named after it (`memory`, `memory.2`), the gateway's those of all; the first of a service binds, all verify.",
  ),
  logLevel: variable(
    'CAIRN_LOG_LEVEL',
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Least severe level that is logged.',
  ),
} as const;

/** What a service needs when it is run with the argument `migrate`; while it serves it is given none of the owner's. */
export const migrationVariables = {
  databaseOwnerUrl: variable(
    'DATABASE_OWNER_URL',
    z.url(),
    'PostgreSQL, as the owner of the schema. Needed only for `main.ts migrate`, and best given to nothing else.',
  ),
  logLevel: serviceVariables.logLevel,
} as const;
