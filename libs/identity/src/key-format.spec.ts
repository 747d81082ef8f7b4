import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KEY_PREFIXES, KEY_TYPES } from '@cairn/contracts';
import fc from 'fast-check';
import { digestOf, generateKey, generateSecret, hasKeyForm } from './key-format.ts';
import corpus from './key-format.corpus.json' with { type: 'json' };

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_KINDS = [...KEY_TYPES, 'oauth'] as const;
const kinds = fc.constantFrom(...SECRET_KINDS);

describe.each(SECRET_KINDS)('a %s key', (kind) => {
  const key = generateKey(kind);

  it('is its prefix, 43 characters of base62 and a checksum of six', () => {
    expect(key.plaintext).toMatch(new RegExp(`^${KEY_PREFIXES[kind]}[0-9A-Za-z]{49}$`));
  });

  it('shows its first twelve characters and is stored as SHA-256', () => {
    expect(key.prefix).toBe(key.plaintext.slice(0, 12));
    expect(key.sha256).toEqual(createHash('sha256').update(key.plaintext).digest());
    expect(digestOf(key.plaintext)).toEqual(key.sha256);
  });

  it('ends with its CRC32 in base62, so that a scanner can tell it offline', () => {
    const unsigned = key.plaintext.slice(0, -6);
    const number = [...key.plaintext.slice(-6)].reduce((sum, char) => sum * 62 + BASE62.indexOf(char), 0);
    expect(number).toBe(crc32(unsigned));
  });
});

describe('hasKeyForm', () => {
  it('knows every key that is generated', () => {
    fc.assert(fc.property(kinds, (kind) => hasKeyForm(generateKey(kind).plaintext)));
  });

  it('catches every change of a single character', () => {
    fc.assert(
      fc.property(kinds, fc.nat(), fc.constantFrom(...BASE62, '_', '-', ' ', 'é', '\0'), (kind, at, char) => {
        const { plaintext } = generateKey(kind);
        const index = at % plaintext.length;
        const changed = plaintext.slice(0, index) + char + plaintext.slice(index + 1);
        return changed === plaintext || !hasKeyForm(changed);
      }),
      { numRuns: 2_000 },
    );
  });

  it('catches two neighbours in the wrong order, a lost and a doubled character', () => {
    fc.assert(
      fc.property(kinds, fc.nat(), (kind, at) => {
        const { plaintext } = generateKey(kind);
        const index = at % (plaintext.length - 1);
        const swapped =
          plaintext.slice(0, index) + plaintext[index + 1]! + plaintext[index]! + plaintext.slice(index + 2);
        const lost = plaintext.slice(0, index) + plaintext.slice(index + 1);
        const doubled = plaintext.slice(0, index) + plaintext[index]! + plaintext.slice(index);
        return (swapped === plaintext || !hasKeyForm(swapped)) && !hasKeyForm(lost) && !hasKeyForm(doubled);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => !hasKeyForm(text)));
    fc.assert(
      fc.property(
        kinds,
        fc.string({ minLength: 49, maxLength: 49 }),
        (kind, body) => !hasKeyForm(KEY_PREFIXES[kind] + body),
      ),
    );
  });

  it('refuses a right checksum over characters that no key has', () => {
    const unsigned = `ck_live_${'-'.repeat(43)}`;
    let sum = crc32(unsigned);
    let checksum = '';
    for (let n = 0; n < 6; n += 1) {
      checksum = BASE62[sum % 62]! + checksum;
      sum = Math.floor(sum / 62);
    }
    expect(hasKeyForm(unsigned + checksum)).toBe(false);
  });

  it('refuses a key with something around it', () => {
    const { plaintext } = generateKey('live');
    for (const text of [` ${plaintext}`, `${plaintext} `, `${plaintext}\n`, plaintext.toLowerCase(), '', 'ck_live_']) {
      expect(hasKeyForm(text)).toBe(false);
    }
  });
});

describe('the regression corpus', () => {
  it.each(corpus.texts)('$text has the form of a key: $form', ({ text, form }) => {
    expect(hasKeyForm(text)).toBe(form);
  });
});

describe('a secret that is no key', () => {
  it('has the same form under its own prefix, and passes for no key', () => {
    const secret = generateSecret('ocs_');
    expect(secret.plaintext).toMatch(/^ocs_[0-9A-Za-z]{49}$/);
    expect(secret.sha256).toEqual(digestOf(secret.plaintext));
    expect(hasKeyForm(secret.plaintext)).toBe(false);
  });
});

describe('generateKey', () => {
  it('never returns the same key or digest twice', () => {
    const keys = Array.from({ length: 5_000 }, () => generateKey('live'));
    expect(new Set(keys.map(({ plaintext }) => plaintext)).size).toBe(5_000);
    expect(new Set(keys.map(({ sha256 }) => sha256.toString('hex'))).size).toBe(5_000);
  });
});
