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

/** Lists every problem of a configuration at once; the process refuses to start. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`the configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
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
    else if (raw === undefined || raw === '') problems.push(`${name} is not set`);
    else problems.push(`${name}: ${parsed.error.issues[0]?.message ?? 'is invalid'}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config) as ConfigOf<Variables>;
}

export interface ListenAddress {
  host: string;
  port: number;
}

/** `host:port`, with `[…]` around an IPv6 address. Port 0 picks a free one. */
export const listenAddress = z.string().transform((value, context): ListenAddress => {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(value);
  if (match === null || Number(match[3]) > 65_535) {
    context.addIssue('must be host:port');
    return z.NEVER;
  }
  return { host: match[1] ?? match[2] ?? '', port: Number(match[3]) };
});

/** Scheme and user, hosts with their ports, and the rest. */
const DATABASE_URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)([/?#].*)?$/;

/** A postgres:// URL with one host, or with several as libpq takes them. */
export const databaseUrl = z.string().refine((url) => {
  const [, head, hosts, rest = ''] = DATABASE_URL_PARTS.exec(url) ?? [];
  return hosts?.split(',').every((host) => URL.canParse(`${head}${host}${rest}`)) ?? false;
}, 'must be a PostgreSQL URL, postgres://user:password@host:5432/database, with several hosts separated by commas');
/** Variables about metrics and traces, which every process reads. */
export const telemetryVariables = {
  metricsPort: variable(
    'CAIRN_METRICS_PORT',
    z.coerce.number().int().min(0).max(65_535).optional(),
    'Port on which GET /metrics shows the metrics for Prometheus, on the host of CAIRN_GRPC_LISTEN, never on the public one. 0 picks a free one. Without it no metrics are served. `npm start` numbers the services from it: tenancy, keys, webhooks, usage, memory, research, gateway.',
  ),
  otlpEndpoint: variable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    z.url({ protocol: /^https?$/ }).optional(),
    'Base URL of an OTLP/HTTP receiver, e.g. http://collector:4318; spans are sent to /v1/traces below it. Without it nothing is traced.',
  ),
  otlpHeaders: variable(
    'OTEL_EXPORTER_OTLP_HEADERS',
    z.string().min(1).optional(),
    'Headers for that receiver as name=value pairs separated by commas. May hold a secret.',
  ),
  traceRatio: variable(
    'OTEL_TRACES_SAMPLER_ARG',
    z.coerce.number().min(0).max(1).default(0.1),
    'Share of the requests that are traced, from 0 to 1. What a traced request causes is traced with it.',
  ),
} as const;

/** Variables that every service reads. */
export const serviceVariables = {
  ...telemetryVariables,
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
    databaseUrl,
    'PostgreSQL URL with the role that serves requests; it is subject to row-level security. Of several hosts (`postgres://user:password@h1:5432,h2:5432/cairn`) the one that takes writes is used.',
  ),
  databaseWorkerUrl: variable(
    'DATABASE_WORKER_URL',
    databaseUrl,
    'PostgreSQL URL with the role for background work; several hosts as in `DATABASE_URL`.',
  ),
  databasePoolMax: variable(
    'DATABASE_POOL_MAX',
    z.coerce.number().int().min(1).max(500).default(10),
    'Connections that the request pool holds at most. One tenant may use two fifths of them at a time, and at least two.',
  ),
  natsUrl: variable(
    'NATS_URL',
    z.string().min(1),
    'NATS with JetStream, e.g. nats://keys:password@host:4222, or tls://…. The servers of a cluster are separated by commas: nats://keys:password@n1:4222,n2:4222,n3:4222. With a user named after the service, the service does not manage streams; with any other user it does.',
  ),
  eventsReplicas: variable(
    'CAIRN_EVENTS_REPLICAS',
    z.coerce.number().int().min(1).max(5).optional(),
    'Replicas of the event streams in a NATS cluster: 1, 3 or 5. Existing streams are given more replicas, never fewer. Default: what the streams have, 1 for new ones.',
  ),
  natsCaFile: variable(
    'NATS_CA_FILE',
    z.string().optional(),
    'Certificates (PEM) of the authorities that may sign the certificate of the NATS servers; the connection then uses TLS. Default with tls:// URLs: those of Node.js.',
  ),
  natsCertificateFile: variable(
    'NATS_CERTIFICATE_FILE',
    z.string().optional(),
    "The service's certificate (PEM) for NATS servers that ask for one; `NATS_CERTIFICATE_KEY_FILE` has its key.",
  ),
  natsCertificateKeyFile: variable(
    'NATS_CERTIFICATE_KEY_FILE',
    z.string().optional(),
    'Private key (PEM) of `NATS_CERTIFICATE_FILE`.',
  ),
  natsCredentialsFile: variable(
    'NATS_CREDENTIALS_FILE',
    z.string().optional(),
    'Credentials file (JWT and seed) for NATS. `NATS_URL` then contains only the name of the user: tls://keys@host:4222.',
  ),
  natsNkeySeedFile: variable(
    'NATS_NKEY_SEED_FILE',
    z.string().optional(),
    'File with the nkey seed of the user, instead of a password or a credentials file. `NATS_URL` then contains only the name of the user.',
  ),
  publishedRetentionHours: variable(
    'CAIRN_PUBLISHED_EVENTS_KEEP_HOURS',
    z.coerce.number().int().min(1).max(720).default(24),
    'How many hours an event stays in the database after the broker acknowledged it, for `cairn operator events replay`.',
  ),
  healthListen: variable(
    'CAIRN_HEALTH_LISTEN',
    listenAddress.optional(),
    'Address of a further HTTP server that answers `/healthz` and `/readyz` only, without TLS: for probes, which have no certificate.',
  ),
  tlsCertFile: variable(
    'CAIRN_TLS_CERT_FILE',
    z.string().min(1).optional(),
    "Certificate (PEM) of this service for mutual TLS between the parts of the installation, with the DNS name `<service>.cairn.internal`. With it, the gRPC and HTTP servers require a certificate of the caller. The three files are read again when they change. The gateway's public HTTP server is not concerned.",
  ),
  tlsKeyFile: variable('CAIRN_TLS_KEY_FILE', z.string().min(1).optional(), 'Private key (PEM) of that certificate.'),
  tlsCaFile: variable(
    'CAIRN_TLS_CA_FILE',
    z.string().min(1).optional(),
    'Certificates (PEM) of the authorities that the certificates of the parts are accepted from.',
  ),
  signingKeyFile: variable(
    'CAIRN_SIGNING_KEY_FILE',
    z.string().min(1),
    "Private Ed25519 JWK that signs the service's own calls.",
  ),
  jwksFile: variable('CAIRN_JWKS_FILE', z.string().min(1), 'Public keys of the gateways and services, as a JWK set.'),
  loopStallMaxMs: variable(
    'CAIRN_LOOP_STALL_MAX_MS',
    z.coerce.number().int().min(0).default(20_000),
    'How long the event loop may stall before the process terminates itself to be restarted; 0 disables this.',
  ),
  requestKeysFile: variable(
    'CAIRN_REQUEST_KEYS_FILE',
    z.string().min(1),
    "JWK set of symmetric keys that bind each request to its service. A service's file holds the keys named after it (`memory`, `memory.2`), the gateway's file those of all services. The first key of a service is used for binding, all of them for verification.",
  ),
  logLevel: variable(
    'CAIRN_LOG_LEVEL',
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Lowest level that is logged.',
  ),
} as const;

/** Variables of a service that is run with the argument `migrate`; a serving process never receives the owner's URL. */
export const migrationVariables = {
  databaseOwnerUrl: variable(
    'DATABASE_OWNER_URL',
    databaseUrl,
    'PostgreSQL URL with the owner of the schema. Needed only for `main.ts migrate`; do not set it anywhere else.',
  ),
  logLevel: serviceVariables.logLevel,
} as const;
