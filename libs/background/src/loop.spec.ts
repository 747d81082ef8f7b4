import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { startLoop } from './loop.ts';

const LONG_MS = 60_000;
let loop: ReturnType<typeof startLoop> | null = null;

afterEach(() => loop?.close());

const unexpected = (error: unknown) => {
  throw error;
};

describe('a loop', () => {
  it('works until nothing is left, and then waits', async () => {
    let left = 3;
    let calls = 0;
    const work = async () => {
      calls += 1;
      left -= 1;
      return left > 0;
    };
    loop = startLoop({ work, pollMs: LONG_MS, onError: unexpected });
    await eventually(() => calls === 3);
    await sleep(20);
    expect(calls).toBe(3);
  });

  it('works at once when it is woken while it waits, and once more when it is woken at work', async () => {
    let calls = 0;
    let finish: () => void = () => undefined;
    const work = () => {
      calls += 1;
      return new Promise<boolean>((resolve) => {
        finish = () => resolve(false);
      });
    };
    loop = startLoop({ work, pollMs: LONG_MS, onError: unexpected });
    finish();
    await sleep(5);
    expect(calls).toBe(1);
    loop.wake();
    await eventually(() => calls === 2);
    loop.wake();
    loop.wake();
    finish();
    await eventually(() => calls === 3);
    finish();
    await sleep(5);
    expect(calls).toBe(3);
  });

  it('finds at the next poll what nobody told it of', async () => {
    let calls = 0;
    const work = async () => {
      calls += 1;
      return false;
    };
    loop = startLoop({ work, pollMs: 5, onError: unexpected });
    await eventually(() => calls > 3);
  });

  it('reports a failure, pauses for longer after each, whoever wakes it, and begins with short pauses again', async () => {
    const at: number[] = [];
    const reported: unknown[] = [];
    const work = async () => {
      at.push(performance.now());
      if (at.length !== 4) throw new Error(`failure ${at.length}`);
      return true;
    };
    const onError = (error: unknown) => {
      reported.push(error);
      loop?.wake();
    };
    loop = startLoop({ work, pollMs: LONG_MS, onError, backoffMs: 200, backoffMaxMs: 400 });
    await eventually(() => at.length >= 5);
    const pauses = at.slice(1).map((time, index) => time - at[index]!);
    expect(pauses[0]).toBeGreaterThan(190);
    expect(pauses[1]).toBeGreaterThan(390);
    expect(pauses[2]).toBeGreaterThan(390);
    expect(pauses[3]).toBeLessThan(190);
    expect(String(reported[0])).toBe('Error: failure 1');
  });

  it('is closed after the work in hand, which is told, and whose failure then is nobody’s concern', async () => {
    let ended = false;
    const work = async (signal: AbortSignal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended = true;
      throw new Error('cut off');
    };
    loop = startLoop({ work, pollMs: LONG_MS, onError: unexpected });
    await loop.close();
    expect(ended).toBe(true);
  });

  it('is closed at once while it waits or pauses', async () => {
    const failing = startLoop({
      work: () => Promise.reject(new Error('no')),
      pollMs: 1,
      onError: () => undefined,
      backoffMs: LONG_MS,
      backoffMaxMs: LONG_MS,
    });
    const idle = startLoop({ work: () => Promise.resolve(false), pollMs: LONG_MS, onError: unexpected });
    await sleep(5);
    await Promise.all([failing.close(), idle.close()]);
  });
});
