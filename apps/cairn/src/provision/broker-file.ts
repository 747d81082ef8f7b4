import { randomBytes } from 'node:crypto';
import { natsUserEntry } from '@cairn/embedded';
import { brokerPermissions } from '@cairn/events';
import { readJson, writePrivately } from '../data-folder.ts';

/** Passwords of the broker's users, by their names. */
export type BrokerPasswords = Record<string, string>;

/** The user with all permissions, who creates the streams. */
export const BROKER_ADMIN = 'cairn';
const PASSWORD_BYTES = 24;

/** The passwords in the file; those that are missing are generated, or with `renew` all of them. */
export async function brokerPasswords(file: string, renew: boolean): Promise<BrokerPasswords> {
  const known: BrokerPasswords = renew ? {} : ((await readJson(file)) ?? {});
  const missing = [BROKER_ADMIN, ...Object.keys(brokerPermissions())].filter((name) => known[name] === undefined);
  if (missing.length === 0) return known;
  const generated = missing.map((name) => [name, randomBytes(PASSWORD_BYTES).toString('base64url')]);
  const complete = { ...known, ...Object.fromEntries(generated) } as BrokerPasswords;
  await writePrivately(file, `${JSON.stringify(complete, null, 2)}\n`);
  return complete;
}

/** A nats-server's configuration with a user for each service, each with the least that it needs. */
export function brokerConfiguration(passwords: BrokerPasswords): string {
  const quoted = JSON.stringify;
  const users = Object.entries(brokerPermissions()).map(([name, permissions]) =>
    natsUserEntry({ name, ...permissions }, passwords[name]!),
  );
  return [
    'server_name: "cairn"',
    'listen: "0.0.0.0:4222"',
    'http: "127.0.0.1:8222"',
    'max_payload: 1MB',
    'jetstream {',
    '  store_dir: "/data"',
    '}',
    'authorization {',
    '  users: [',
    `    { user: ${quoted(BROKER_ADMIN)}, password: ${quoted(passwords[BROKER_ADMIN])} }`,
    ...users.map((entry) => `    ${entry}`),
    '  ]',
    '}',
    '',
  ].join('\n');
}
