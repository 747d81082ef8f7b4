import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { randomPassword, readFileIfThere, writePrivateFile } from '../files/private-file.ts';

/** Belongs to one data folder for ever; the server's name distinguishes it from any other that answers on its port. */
export interface NatsCredentials {
  serverName: string;
  /** The user who may do everything. */
  user: string;
  password: string;
  /** Passwords of the restricted users by their names. */
  users: Record<string, string>;
}

/** A user who may publish and subscribe to these subjects and nothing else. */
export interface NatsUser {
  name: string;
  publish: readonly string[];
  subscribe: readonly string[];
}

export interface NatsFiles {
  config: string;
  pid: string;
  log: string;
  store: string;
}

export function natsFiles(dataDir: string): NatsFiles {
  return {
    config: join(dataDir, 'nats.conf'),
    pid: join(dataDir, 'nats.pid'),
    log: join(dataDir, 'nats.log'),
    // The server adds a folder `jetstream` of its own.
    store: dataDir,
  };
}

/** The folder's credentials; those that are missing are generated. */
export async function natsCredentials(dataDir: string, users: readonly NatsUser[]): Promise<NatsCredentials> {
  const path = join(dataDir, 'nats-credentials.json');
  const text = await readFileIfThere(path);
  // Folders of earlier versions know the one user only.
  const known: NatsCredentials | null = text === null ? null : Object.assign({ users: {} }, JSON.parse(text));
  const missing = users.filter(({ name }) => known?.users[name] === undefined);
  if (known !== null && missing.length === 0) return known;
  const base = known ?? {
    serverName: `cairn-${randomBytes(8).toString('hex')}`,
    user: 'cairn',
    password: randomPassword(),
    users: {},
  };
  const generated = Object.fromEntries(missing.map(({ name }) => [name, randomPassword()]));
  const credentials = { ...base, users: { ...base.users, ...generated } };
  await writePrivateFile(path, `${JSON.stringify(credentials, null, 2)}\n`);
  return credentials;
}

/** The server's configuration file. It holds passwords, so it is written with mode 0600 and never given as arguments. */
export function natsConfig(
  files: NatsFiles,
  port: number,
  credentials: NatsCredentials,
  users: readonly NatsUser[],
): string {
  const quoted = JSON.stringify;
  return [
    `server_name: ${quoted(credentials.serverName)}`,
    `listen: "127.0.0.1:${port}"`,
    `pid_file: ${quoted(files.pid)}`,
    'max_payload: 1MB',
    'authorization {',
    '  users: [',
    `    { user: ${quoted(credentials.user)}, password: ${quoted(credentials.password)} }`,
    ...users.map((user) => `    ${natsUserEntry(user, credentials.users[user.name]!)}`),
    '  ]',
    '}',
    'jetstream {',
    `  store_dir: ${quoted(files.store)}`,
    '}',
    '',
  ].join('\n');
}

/** The entry of a restricted user in the list `users` of a nats-server's configuration. */
export function natsUserEntry({ name, publish, subscribe }: NatsUser, password: string): string {
  // The server takes an empty list for no restriction.
  if (publish.length === 0 || subscribe.length === 0) throw new Error(`the NATS user ${name} would be unrestricted`);
  const allow = (subjects: readonly string[]) => `{ allow: ${JSON.stringify(subjects)} }`;
  const permissions = `{ publish: ${allow(publish)}, subscribe: ${allow(subscribe)} }`;
  return `{ user: ${JSON.stringify(name)}, password: ${JSON.stringify(password)}, permissions: ${permissions} }`;
}
