import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { randomPassword, readFileIfThere, writePrivateFile } from './private-file.ts';

/** Belongs to one data folder for ever; the server's name tells it from any other that answers on its port. */
export interface NatsCredentials {
  serverName: string;
  user: string;
  password: string;
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

/** The folder's credentials, made at its first start. */
export async function natsCredentials(dataDir: string): Promise<NatsCredentials> {
  const path = join(dataDir, 'nats-credentials.json');
  const known = await readFileIfThere(path);
  if (known !== null) return JSON.parse(known) as NatsCredentials;
  const made = { serverName: `cairn-${randomBytes(8).toString('hex')}`, user: 'cairn', password: randomPassword() };
  await writePrivateFile(path, `${JSON.stringify(made, null, 2)}\n`);
  return made;
}

/** Written to a file of mode 0600 rather than given as arguments, which every user of the machine can read. */
export async function writeNatsConfig(files: NatsFiles, port: number, credentials: NatsCredentials): Promise<void> {
  const quoted = JSON.stringify;
  await writePrivateFile(
    files.config,
    [
      `server_name: ${quoted(credentials.serverName)}`,
      `listen: "127.0.0.1:${port}"`,
      `pid_file: ${quoted(files.pid)}`,
      'max_payload: 1MB',
      'authorization {',
      `  user: ${quoted(credentials.user)}`,
      `  password: ${quoted(credentials.password)}`,
      '}',
      'jetstream {',
      `  store_dir: ${quoted(files.store)}`,
      '}',
      '',
    ].join('\n'),
  );
}
