import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentialsFor } from './broker-credentials.ts';

let folder: string;
let seedFile: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-nats-'));
  seedFile = join(folder, 'seed');
  await writeFile(seedFile, 'SUANOTAREALSEED\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('NATS_URL', () => {
  it('names several servers, with the user in the first', async () => {
    expect(await credentialsFor({ natsUrl: 'nats://keys:p%40ss@n1:4222, n2:4222,nats://n3:4222' })).toEqual({
      servers: ['n1:4222', 'n2:4222', 'n3:4222'],
      userName: 'keys',
      user: 'keys',
      pass: 'p@ss',
    });
  });

  it('can hold a token, which names nobody', async () => {
    expect(await credentialsFor({ natsUrl: 'nats://secret@n1:4222' })).toEqual({
      servers: ['n1:4222'],
      userName: null,
      token: 'secret',
    });
  });

  it.each(['http://n1:4222', 'nats://', 'nats://user:hunter2@n1:port', 'nats://n1:4222,,n2:4222'])(
    'is refused when it is %j, without repeating a password',
    async (natsUrl) => {
      const refused = await credentialsFor({ natsUrl }).catch((error: Error) => error.message);
      expect(refused).toContain('NATS_URL is not valid');
      expect(refused).not.toContain('hunter2');
    },
  );
});

describe('TLS', () => {
  it('is used with tls:// and with a CA file, and not otherwise', async () => {
    expect((await credentialsFor({ natsUrl: 'tls://keys:x@n1:4222' })).tls).toEqual({});
    expect((await credentialsFor({ natsUrl: 'nats://keys:x@n1:4222', natsCaFile: '/ca.pem' })).tls).toEqual({
      caFile: '/ca.pem',
    });
    expect((await credentialsFor({ natsUrl: 'nats://keys:x@n1:4222' })).tls).toBeUndefined();
  });

  it('can prove the service by a certificate; the user of the URL is then its name and no token', async () => {
    const certificate = { natsCertificateFile: '/tls.crt', natsCertificateKeyFile: '/tls.key' };
    expect(await credentialsFor({ natsUrl: 'tls://keys@n1:4222', ...certificate })).toEqual({
      servers: ['n1:4222'],
      userName: 'keys',
      tls: { certFile: '/tls.crt', keyFile: '/tls.key' },
    });
    await expect(credentialsFor({ natsUrl: 'tls://keys@n1:4222', natsCertificateFile: '/tls.crt' })).rejects.toThrow(
      'NATS_CERTIFICATE_FILE and NATS_CERTIFICATE_KEY_FILE are set together',
    );
  });
});

describe('a file with a seed or credentials', () => {
  it('is used instead of a password', async () => {
    const { userName, authenticator, token } = await credentialsFor({
      natsUrl: 'nats://keys@n1:4222',
      natsNkeySeedFile: seedFile,
    });
    expect([userName, typeof authenticator, token]).toEqual(['keys', 'function', undefined]);
  });

  it('that is missing is named, and both at once are refused', async () => {
    await expect(
      credentialsFor({ natsUrl: 'nats://keys@n1:4222', natsCredentialsFile: join(folder, 'missing') }),
    ).rejects.toThrow('missing');
    await expect(
      credentialsFor({ natsUrl: 'nats://keys@n1:4222', natsCredentialsFile: seedFile, natsNkeySeedFile: seedFile }),
    ).rejects.toThrow('Only one of NATS_CREDENTIALS_FILE and NATS_NKEY_SEED_FILE');
  });
});
