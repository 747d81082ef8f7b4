import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@cairn/testing';
import { type KeyFiles, openKeyFiles } from '../data-folder.ts';
import { environmentFile, writeServiceFolder } from './service-folder.ts';

let root: string;
let keys: KeyFiles;
beforeAll(async () => {
  root = await temporaryFolder('cairn-provision-');
  keys = await openKeyFiles(join(root, 'operator', 'keys'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const write = async (service: 'memory' | 'gateway' | 'tenancy') => {
  const folder = join(root, service);
  const database = { url: 'postgres://a', workerUrl: 'postgres://b' };
  await writeServiceFolder(folder, service, keys, service === 'gateway' ? {} : { database }, '/run/cairn');
  return folder;
};

describe('the folder of a service', () => {
  it('names every file where the service will find it, and only its owner reads them', async () => {
    const folder = await write('memory');
    expect(await readFile(join(folder, 'service.env'), 'utf8')).toBe(
      [
        'DATABASE_URL=postgres://a',
        'DATABASE_WORKER_URL=postgres://b',
        'CAIRN_SIGNING_KEY_FILE=/run/cairn/signing-key.jwk.json',
        'CAIRN_JWKS_FILE=/run/cairn/jwks.json',
        'CAIRN_REQUEST_KEYS_FILE=/run/cairn/request-keys.jwks.json',
        'CAIRN_INGEST_KEYS_FILE=/run/cairn/ingest.jwks.json',
        '',
      ].join('\n'),
    );
    for (const file of await readdir(folder)) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  });

  it('holds no key of another service', async () => {
    const text = async (folder: string) =>
      (await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
    const tenancy = JSON.parse(await readFile(keys.signingKeyFile('tenancy'), 'utf8')) as { d: string };
    const gateway = await text(await write('gateway'));
    expect(gateway).not.toContain(tenancy.d);
    expect(gateway).not.toContain('DATABASE_URL');
    expect(await text(await write('tenancy'))).toContain(tenancy.d);
  });

  it('is the same when it is written again', async () => {
    const folder = await write('memory');
    const before = await readFile(join(folder, 'signing-key.jwk.json'), 'utf8');
    await openKeyFiles(join(root, 'operator', 'keys'));
    await write('memory');
    expect(await readFile(join(folder, 'signing-key.jwk.json'), 'utf8')).toBe(before);
  });
});

describe('an environment file', () => {
  it('refuses a value that its readers would take differently', () => {
    expect(() => environmentFile({ NAME: 'with a space' })).toThrow('cannot be written');
    expect(environmentFile({ NAME: 'postgres://u:p-_@h:1/d' })).toBe('NAME=postgres://u:p-_@h:1/d\n');
  });
});
