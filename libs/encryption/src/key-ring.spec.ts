import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@cairn/testing';
import { createKeyRing, readKeyRing } from './index.ts';

const SECRET = `sk-canary-${randomBytes(12).toString('hex')}`;
const jwk = (kid: string, bytes = 32) => ({ kty: 'oct', kid, k: randomBytes(bytes).toString('base64url') });

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder('cairn-encryption-');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('an encrypted secret', () => {
  it('decrypts only in its context, only unaltered, and only with its key', async () => {
    const keyRing = await createKeyRing([jwk('a')]);
    const ciphertext = await keyRing.encrypt('here', SECRET);
    expect(ciphertext).not.toContain(SECRET);
    expect(await keyRing.decrypt('here', ciphertext)).toBe(SECRET);
    await expect(keyRing.decrypt('there', ciphertext)).rejects.toThrow(/another context/);
    const altered = ciphertext.replace(/.(?=[^.]*$)/, (char) => (char === 'A' ? 'B' : 'A'));
    await expect(keyRing.decrypt('here', altered)).rejects.toThrow();
    await expect((await createKeyRing([jwk('b')])).decrypt('here', ciphertext)).rejects.toThrow(
      /not in the configuration/,
    );
    expect(await keyRing.encrypt('here', SECRET)).not.toBe(ciphertext);
  });

  it('is encrypted with the first key and decrypted with any', async () => {
    const [old, fresh] = [jwk('old'), jwk('fresh')];
    const before = await (await createKeyRing([old])).encrypt('here', SECRET);
    const both = await createKeyRing([fresh, old]);
    expect(await both.decrypt('here', before)).toBe(SECRET);
    expect([both.isCurrent(before), both.isCurrent(await both.encrypt('here', SECRET))]).toEqual([false, true]);
  });
});

describe('the file of keys', () => {
  it.each([
    ['no keys', { keys: [] }],
    ['a key that is too short', { keys: [jwk('a', 16)] }],
    ['a key without a name', { keys: [{ ...jwk('a'), kid: undefined }] }],
    ['another kind of key', { keys: [{ ...jwk('a'), kty: 'RSA' }] }],
  ])('with %s is refused without showing what is in it', async (_what, content) => {
    const file = join(folder, 'keys.json');
    await writeFile(file, JSON.stringify(content));
    const failed = await readKeyRing(file).catch((error: Error) => error.message);
    expect(failed).toBe(`${file} is not a JWK set of 256-bit oct keys`);
  });
});
