import { describe, expect, it } from '@jest/globals';
import { CairnError } from '@cairn/errors';
import { createLookupCache, type Lookup, unavailable } from './lookup-cache.ts';

const BOUNDS = {
  foundMax: 2,
  foundKeptMs: 30_000,
  refusedMax: 2,
  refusedKeptMs: 5_000,
  rememberedMax: 10,
  seenGoodPendingMax: 1,
  otherPendingMax: 2,
};

/** A question whose answers are given by hand. */
function open() {
  const asked: { name: string; answer: (lookup: Lookup<string, string>) => void; fail: (error: Error) => void }[] = [];
  const clock = { ms: 1_000_000 };
  const lookUp = createLookupCache<string, string>(
    BOUNDS,
    (name) => new Promise((resolve, reject) => asked.push({ name, answer: resolve, fail: reject })),
    () => clock.ms,
  );
  const answered = (name: string, lookup: Lookup<string, string>) => {
    const result = lookUp(name);
    asked.at(-1)!.answer(lookup);
    return result;
  };
  return { lookUp, asked, answered, clock };
}

describe('a cache before a question', () => {
  it('serves what was found for its time, counted from before it was asked', async () => {
    const { lookUp, asked, clock } = open();
    const first = lookUp('a');
    clock.ms += 1_000;
    asked[0]!.answer({ ok: true, found: 'A' });
    expect(await first).toEqual({ ok: true, found: 'A' });
    clock.ms += 28_000;
    expect(await lookUp('a')).toEqual({ ok: true, found: 'A' });
    clock.ms += 1_500;
    void lookUp('a');
    expect(asked).toHaveLength(2);
  });

  it('keeps a refusal for less, and guesses push out nothing that was found', async () => {
    const { lookUp, asked, answered, clock } = open();
    await answered('good', { ok: true, found: 'G' });
    for (const guess of ['1', '2', '3', '4']) await answered(guess, { ok: false, refusal: 'no' });
    expect(await lookUp('4')).toEqual({ ok: false, refusal: 'no' });
    expect(await lookUp('good')).toEqual({ ok: true, found: 'G' });
    expect(asked).toHaveLength(5);
    clock.ms += 6_000;
    void lookUp('4');
    expect(asked).toHaveLength(6);
  });

  it('asks once for those who ask together, and tells all of them of a failure', async () => {
    const { lookUp, asked } = open();
    const both = Promise.allSettled([lookUp('a'), lookUp('a')]);
    asked[0]!.fail(new Error('down'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(asked).toHaveLength(1);
    void lookUp('a');
    expect(asked).toHaveLength(2);
  });

  it('has a bound on questions under way; those it knows the answer to go on', async () => {
    const { lookUp, asked, answered } = open();
    await answered('known', { ok: true, found: 'K' });
    void lookUp('a');
    void lookUp('b');
    await expect(lookUp('c')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await lookUp('known')).toEqual({ ok: true, found: 'K' });
    asked[1]!.answer({ ok: true, found: 'A' });
    await new Promise(setImmediate);
    void lookUp('c');
    expect(asked.at(-1)!.name).toBe('c');
  });
});

describe('questions about what was never found', () => {
  it('leave those about what was found before their own room', async () => {
    const { lookUp, asked, answered, clock } = open();
    await answered('good', { ok: true, found: 'G' });
    clock.ms += 31_000;
    void lookUp('1');
    void lookUp('2');
    await expect(lookUp('3')).rejects.toMatchObject({ code: 'unavailable' });
    const renewed = lookUp('good');
    asked.at(-1)!.answer({ ok: true, found: 'H' });
    expect(await renewed).toEqual({ ok: true, found: 'H' });
  });
});

describe('a failed question', () => {
  it("is a part that is down, never the caller's fault", () => {
    for (const error of [
      new CairnError('identity_invalid', 'a'),
      new CairnError('validation_failed', 'b'),
      new Error('c'),
      'd',
    ]) {
      expect(unavailable(error)).toMatchObject({ code: 'unavailable', cause: error });
    }
    const already = new CairnError('unavailable', 'down');
    expect(unavailable(already)).toBe(already);
  });
});
