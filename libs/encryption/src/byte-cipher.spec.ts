import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createByteCipher } from './index.ts';

const key = (kid: string) => ({ kid, k: randomBytes(32).toString('base64url') });
const canary = Buffer.from('the canary sings');

describe('encrypted bytes', () => {
  it('are not readable, differ each time, and decrypt to what they were', () => {
    const cipher = createByteCipher([key('one')]);
    const [a, b] = [cipher.encrypt('here', canary), cipher.encrypt('here', canary)];
    expect(a.includes('canary')).toBe(false);
    expect(a.equals(b)).toBe(false);
    expect(cipher.decrypt('here', a)).toEqual(canary);
  });

  it('are rejected in another context, when altered, and without their key', () => {
    const cipher = createByteCipher([key('one')]);
    const ciphertext = cipher.encrypt('here', canary);
    expect(() => cipher.decrypt('there', ciphertext)).toThrow();
    expect(() => createByteCipher([key('two')]).decrypt('here', ciphertext)).toThrow('key');
    ciphertext[ciphertext.length - 1]! ^= 1;
    expect(() => cipher.decrypt('here', ciphertext)).toThrow();
  });

  it('decrypt with an older key while a newer one encrypts', () => {
    const [older, newer] = [key('older'), key('newer')];
    const ciphertext = createByteCipher([older]).encrypt('here', canary);
    expect(createByteCipher([newer, older]).decrypt('here', ciphertext)).toEqual(canary);
  });

  it('of earlier versions decrypt: the layout is part of what is stored', () => {
    const cipher = createByteCipher([{ kid: 'fixed', k: Buffer.alloc(32, 7).toString('base64url') }]);
    const stored = Buffer.from(STORED, 'base64');
    expect(cipher.decrypt('tnt_a mem_a doc_a', stored).toString()).toBe('kept since the first version');
  });
});

const STORED = 'BWZpeGVkAAECAwQFBgcICQoLtg1z+X0uQjzThPP/rElqu3PkmQQ9erAnFNfF6Io9TJyITsX6OBQSQ2WnDNQ=';
