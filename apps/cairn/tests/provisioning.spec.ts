import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '@cairn/embedded';
import { createDatabase } from '@cairn/postgres';
import { temporaryFolder } from '@cairn/testing';
import { provisionInstallation } from '../src/provision/provision.ts';

let root: string;
let postgres: EmbeddedPostgres;
const said: string[] = [];

beforeAll(async () => {
  root = await temporaryFolder('cairn-provisioned-');
  postgres = await startPostgres({ dataDir: join(root, 'postgres'), log: () => undefined });
}, 60_000);
afterAll(async () => {
  await postgres.stop();
  await rm(root, { recursive: true, force: true });
});

const NOTHING_MORE = {
  rotatePasswords: false,
  mtls: false,
  rotateCertificates: false,
  lockOutCertificates: false,
  dropKeys: [] as string[],
};

async function provision(folder: string, more: Partial<typeof NOTHING_MORE> = {}) {
  said.length = 0;
  const where = { database: 'cairn', natsUrl: 'nats://n1:4222,n2:4222', mountedAt: '/run/cairn' };
  const options = { adminUrl: postgres.superuserUrl, folder: join(root, folder), ...where, ...NOTHING_MORE, ...more };
  await provisionInstallation(options, (line) => said.push(line));
}

const text = (...path: string[]) => readFile(join(root, ...path), 'utf8');
const variableOf = async (name: string, ...path: string[]) =>
  (await text(...path))
    .split('\n')
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1);

async function run(url: string, statement: string): Promise<unknown> {
  const database = createDatabase({ url, applicationName: 'spec', poolMax: 1 });
  try {
    return await database.transaction((tx) => tx.query(statement));
  } finally {
    await database.close();
  }
}

describe('provisioning', () => {
  it.each(['nats:4222', 'http://nats:4222', 'nats://n1:4222,', 'nats://'])(
    'refuses %s as the address of NATS before it asks the server',
    async (natsUrl) => {
      const nowhere = { adminUrl: 'postgres://127.0.0.1:1/x', database: 'x', mountedAt: '/x', folder: join(root, 'x') };
      await expect(provisionInstallation({ ...nowhere, natsUrl, ...NOTHING_MORE }, () => undefined)).rejects.toThrow(
        '--nats-url is not valid',
      );
    },
  );

  it('writes URLs that log in, and changes nothing when it is repeated', async () => {
    await provision('a');
    const before = await text('a', 'memory', 'service.env');
    const url = (await variableOf('DATABASE_URL', 'a', 'memory', 'service.env'))!;
    expect(await run(url, 'SELECT current_user AS role')).toEqual([{ role: 'memory_app' }]);
    expect(before).toMatch(/^NATS_URL=nats:\/\/memory:[\w-]+@n1:4222,n2:4222$/m);
    await provision('a');
    expect(await text('a', 'memory', 'service.env')).toBe(before);
    expect(before).not.toContain('CAIRN_TLS');
  });

  it('refuses the roles of another installation on the same server, unless their passwords are to be replaced', async () => {
    const url = (await variableOf('DATABASE_URL', 'a', 'keys', 'service.env'))!;
    await expect(provision('b')).rejects.toThrow('keys_owner, keys_app, keys_worker, tenancy_owner');
    expect(await run(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await provision('a', { rotatePasswords: true });
    await expect(run(url, 'SELECT 1')).rejects.toThrow();
    const renewed = (await variableOf('DATABASE_URL', 'a', 'keys', 'service.env'))!;
    expect(await run(renewed, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(said.join('\n')).toContain('restart NATS');
  });

  it('never overwrites a key that the originals lack, and creates none then', async () => {
    const original = join(root, 'a', 'operator', 'keys', 'ingest.jwks.json');
    const kept = await readFile(original, 'utf8');
    const { kid } = (JSON.parse(kept) as { keys: { kid: string }[] }).keys[0]!;
    const message = `memory/ingest.jwks.json holds ${kid}, operator/keys/ingest.jwks.json does not`;
    await rm(original);
    await expect(provision('a')).rejects.toThrow(message);
    await expect(readFile(original)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await text('a', 'memory', 'ingest.jwks.json')).toBe(kept);
    // A key of the same name is another key all the same.
    await writeFile(original, kept.replace(/"k":"[^"]{4}/, '"k":"----'));
    await expect(provision('a')).rejects.toThrow(message);
    await rm(original);
    await provision('a', { dropKeys: [kid] });
    expect(await text('a', 'memory', 'ingest.jwks.json')).not.toBe(kept);
  });

  it('says that the schema public of a database that was there before is open', async () => {
    await provision('a');
    expect(said.join('\n')).not.toContain('schema public');
    const url = new URL(postgres.superuserUrl);
    url.pathname = '/cairn';
    await run(url.href, 'GRANT USAGE ON SCHEMA public TO PUBLIC');
    await provision('a');
    expect(said.join('\n')).toContain('REVOKE ALL ON SCHEMA public FROM PUBLIC');
  });

  it('issues certificates on request, keeps them, and rotates them', async () => {
    await expect(provision('a', { rotateCertificates: true })).rejects.toThrow('--mtls');
    await provision('a', { mtls: true });
    expect(await variableOf('CAIRN_TLS_CERT_FILE', 'a', 'keys', 'service.env')).toBe('/run/cairn/tls.crt');
    const operatorKey = await variableOf('CAIRN_TLS_KEY_FILE', 'a', 'operator', 'operator.env');
    expect(operatorKey).toBe(join(root, 'a', 'operator', 'tls.key'));
    const first = await text('a', 'keys', 'tls.crt');
    expect(new X509Certificate(first).subjectAltName).toBe('DNS:keys.cairn.internal');
    const gateway = new X509Certificate(await text('a', 'gateway', 'tls.crt'));
    expect(gateway.subjectAltName).toBe('DNS:gateway.cairn.internal');
    await provision('a');
    expect(await text('a', 'keys', 'tls.crt')).toBe(first);
    expect(await text('a', 'keys', 'ca.crt')).toBe(await text('a', 'memory', 'ca.crt'));
    await provision('a', { rotateCertificates: true });
    expect(await text('a', 'keys', 'tls.crt')).not.toBe(first);
  });
});
