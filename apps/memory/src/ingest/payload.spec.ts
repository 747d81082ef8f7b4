import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createPayloadSeal, type Payload, placeOf } from './payload.ts';

const key = (kid: string) => ({ kid, k: randomBytes(32).toString('base64url') });
const about = { title: 'Ünïted', metadata: { a: [1, 'b'] }, fileName: 'x.pdf', mediaType: '', url: null };
const place = placeOf({ tenantId: 'tnt_a', memoryId: 'mem_a' }, 'doc_a');

describe('what waits in the queue', () => {
  it.each<[string, Payload['content']]>([
    ['text', 'Grüße, 世界'],
    ['a file', new Uint8Array([0, 255, 37, 80])],
    ['an address', null],
  ])('is opened as it was sealed: %s', (_name, content) => {
    const seal = createPayloadSeal([key('one')]);
    expect(seal.open(place, seal.seal(place, { content, about }))).toEqual({ content, about });
  });

  it('is not readable, and the same text twice looks different', () => {
    const seal = createPayloadSeal([key('one')]);
    const [a, b] = [0, 1].map(() => seal.seal(place, { content: 'the canary sings', about }));
    expect(a!.includes('canary') || a!.includes('x.pdf')).toBe(false);
    expect(a!.equals(b!)).toBe(false);
  });

  it('is refused in another place, when it was changed, and without its key', () => {
    const seal = createPayloadSeal([key('one')]);
    const sealed = seal.seal(place, { content: 'x', about });
    expect(() => seal.open(`${place}x`, sealed)).toThrow();
    sealed[sealed.length - 1]! ^= 1;
    expect(() => seal.open(place, sealed)).toThrow();
    expect(() => createPayloadSeal([key('two')]).open(place, sealed)).toThrow('key');
  });

  it('is opened with an older key while a newer one seals', () => {
    const [older, newer] = [key('older'), key('newer')];
    const sealed = createPayloadSeal([older]).seal(place, { content: 'x', about });
    expect(createPayloadSeal([newer, older]).open(place, sealed).content).toBe('x');
  });
});
