import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@cairn/testing';
import { createSealing, readSealing } from './index.ts';

const SECRET = `sk-canary-${randomBytes(12).toString('hex')}`;
const jwk = (kid: string, bytes = 32) => ({ kty: 'oct', kid, k: randomBytes(bytes).toString('base64url') });

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder('cairn-sealing-');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a sealed secret', () => {
  it('opens only in its place, only unchanged, and only with its key', async () => {
    const sealing = await createSealing([jwk('a')]);
    const sealed = await sealing.seal('here', SECRET);
    expect(sealed).not.toContain(SECRET);
    expect(await sealing.open('here', sealed)).toBe(SECRET);
    await expect(sealing.open('there', sealed)).rejects.toThrow(/place/);
    const broken = sealed.replace(/.(?=[^.]*$)/, (char) => (char === 'A' ? 'B' : 'A'));
    await expect(sealing.open('here', broken)).rejects.toThrow();
    await expect((await createSealing([jwk('b')])).open('here', sealed)).rejects.toThrow(/not in the configuration/);
    expect(await sealing.seal('here', SECRET)).not.toBe(sealed);
  });

  it('is sealed with the first key and opened with any', async () => {
    const [old, fresh] = [jwk('old'), jwk('fresh')];
    const before = await (await createSealing([old])).seal('here', SECRET);
    const both = await createSealing([fresh, old]);
    expect(await both.open('here', before)).toBe(SECRET);
    expect([both.isCurrent(before), both.isCurrent(await both.seal('here', SECRET))]).toEqual([false, true]);
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
    const failed = await readSealing(file).catch((error: Error) => error.message);
    expect(failed).toBe(`${file} is not a JWK set of 256-bit oct keys`);
  });
});
