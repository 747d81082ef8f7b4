import { describe, expect, it } from '@jest/globals';
import { type Lookup, LookupCache } from './lookup-cache.ts';

const BOUNDS = {
  hitsMax: 2,
  hitTtlMs: 30_000,
  negativesMax: 2,
  negativeTtlMs: 5_000,
  rememberedMax: 10,
  seenGoodPendingMax: 1,
  otherPendingMax: 2,
};

/** A cache whose lookups are answered by hand. */
function open() {
  const asked: { name: string; response: (lookup: Lookup<string, string>) => void; fail: (error: Error) => void }[] =
    [];
  const clock = { ms: 1_000_000 };
  const cache = new LookupCache<string, string>({
    bounds: BOUNDS,
    lookUp: (name) => new Promise((resolve, reject) => asked.push({ name, response: resolve, fail: reject })),
    nowMs: () => clock.ms,
    overloaded: () => new Error('overloaded'),
  });
  const lookUp = (name: string) => cache.get(name);
  const answered = (name: string, lookup: Lookup<string, string>) => {
    const result = lookUp(name);
    asked.at(-1)!.response(lookup);
    return result;
  };
  return { lookUp, asked, answered, clock };
}

describe('a lookup cache', () => {
  it('serves a hit until its time to live is over, counted from the beginning of its lookup', async () => {
    const { lookUp, asked, clock } = open();
    const first = lookUp('a');
    clock.ms += 1_000;
    asked[0]!.response({ ok: true, hit: 'A' });
    expect(await first).toEqual({ ok: true, hit: 'A' });
    clock.ms += 28_000;
    expect(await lookUp('a')).toEqual({ ok: true, hit: 'A' });
    clock.ms += 1_500;
    void lookUp('a');
    expect(asked).toHaveLength(2);
  });

  it('keeps a denial for less, and guesses evict no hit', async () => {
    const { lookUp, asked, answered, clock } = open();
    await answered('good', { ok: true, hit: 'G' });
    for (const guess of ['1', '2', '3', '4']) await answered(guess, { ok: false, denial: 'no' });
    expect(await lookUp('4')).toEqual({ ok: false, denial: 'no' });
    expect(await lookUp('good')).toEqual({ ok: true, hit: 'G' });
    expect(asked).toHaveLength(5);
    clock.ms += 6_000;
    void lookUp('4');
    expect(asked).toHaveLength(6);
  });

  it('shares one lookup among concurrent callers, and its failure, too', async () => {
    const { lookUp, asked } = open();
    const both = Promise.allSettled([lookUp('a'), lookUp('a')]);
    asked[0]!.fail(new Error('down'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(asked).toHaveLength(1);
    void lookUp('a');
    expect(asked).toHaveLength(2);
  });

  it('bounds concurrent lookups; cached names are served all the same', async () => {
    const { lookUp, asked, answered } = open();
    await answered('known', { ok: true, hit: 'K' });
    void lookUp('a');
    void lookUp('b');
    await expect(lookUp('c')).rejects.toThrow('overloaded');
    expect(await lookUp('known')).toEqual({ ok: true, hit: 'K' });
    asked[1]!.response({ ok: true, hit: 'A' });
    await new Promise(setImmediate);
    void lookUp('c');
    expect(asked.at(-1)!.name).toBe('c');
  });
});

describe('lookups of names that were never good', () => {
  it('leave the pool of names that were good before alone', async () => {
    const { lookUp, asked, answered, clock } = open();
    await answered('good', { ok: true, hit: 'G' });
    clock.ms += 31_000;
    void lookUp('1');
    void lookUp('2');
    await expect(lookUp('3')).rejects.toThrow('overloaded');
    const renewed = lookUp('good');
    asked.at(-1)!.response({ ok: true, hit: 'H' });
    expect(await renewed).toEqual({ ok: true, hit: 'H' });
  });
});
