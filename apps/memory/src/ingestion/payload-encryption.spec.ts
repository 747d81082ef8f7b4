import { randomBytes } from 'node:crypto';
import { createByteCipher } from '@cairn/encryption';
import { describe, expect, it } from '@jest/globals';
import { decryptPayload, encryptPayload, type Payload } from './payload-encryption.ts';

const about = { title: 'Ünïted', metadata: { a: [1, 'b'] }, fileName: 'x.pdf', mediaType: '', url: null };
const scope = { tenantId: 'tnt_a', memoryId: 'mem_a' };
const cipher = createByteCipher([{ kid: 'one', k: randomBytes(32).toString('base64url') }]);

describe('what waits in the queue', () => {
  it.each<[string, Payload['content']]>([
    ['text', 'Grüße, 世界'],
    ['a file', new Uint8Array([0, 255, 37, 80])],
    ['an address', null],
  ])('is decrypted as it was submitted: %s', (_name, content) => {
    const encrypted = encryptPayload(cipher, scope, 'doc_a', { content, about });
    expect(decryptPayload(cipher, scope, 'doc_a', encrypted)).toEqual({ content, about });
  });

  it('is not readable, neither the content nor what is said about it', () => {
    const encrypted = encryptPayload(cipher, scope, 'doc_a', { content: 'the canary sings', about });
    expect(encrypted.includes('canary') || encrypted.includes('x.pdf')).toBe(false);
  });

  it('is refused as the payload of another document', () => {
    const encrypted = encryptPayload(cipher, scope, 'doc_a', { content: 'x', about });
    expect(() => decryptPayload(cipher, scope, 'doc_b', encrypted)).toThrow();
  });
});
