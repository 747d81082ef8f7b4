import { describe, expect, it } from '@jest/globals';
import { NO_UPLOADS, uploadQueue } from './upload-queue.ts';

/** A queue with what it shows, and files that are sent when the spec says so. */
function played() {
  let shown = NO_UPLOADS;
  const begun: string[] = [];
  const add = uploadQueue((uploads) => {
    shown = uploads;
  });
  const file = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const send = () => {
      begun.push(name);
      return promise;
    };
    return { upload: { name, send }, take: resolve, refuse: () => reject(new Error(`${name} is refused`)) };
  };
  return { add, file, begun, shown: () => shown, refused: () => shown.refused.map(({ name }) => name) };
}

/** Lets what has been settled be noticed. */
const noticed = () => new Promise((resolve) => setImmediate(resolve));

describe('files to upload', () => {
  it('are sent one after the other, and one that is refused does not hold up the others', async () => {
    const { add, file, begun, shown, refused } = played();
    const [bad, good] = [file('bad'), file('good')];
    const done = add([bad.upload, good.upload]);
    expect(begun).toEqual(['bad']);
    expect(shown().left).toBe(2);
    bad.refuse();
    await noticed();
    expect(begun).toEqual(['bad', 'good']);
    expect(shown().left).toBe(1);
    good.take();
    await done;
    expect(shown()).toMatchObject({ left: 0, taken: 1 });
    expect(refused()).toEqual(['bad']);
  });

  it('wait behind those that are being sent, whose refusals stay', async () => {
    const { add, file, begun, shown, refused } = played();
    const [bad, slow, late] = [file('bad'), file('slow'), file('late')];
    const first = add([bad.upload, slow.upload]);
    bad.refuse();
    await noticed();
    const second = add([late.upload]);
    expect(begun).toEqual(['bad', 'slow']);
    expect(refused()).toEqual(['bad']);
    expect(shown().left).toBe(2);
    slow.take();
    late.take();
    await Promise.all([first, second]);
    expect(begun).toEqual(['bad', 'slow', 'late']);
    expect(shown()).toMatchObject({ left: 0, taken: 2 });
    expect(refused()).toEqual(['bad']);
  });

  it('begin from nothing when all before them are sent, unless there is none', async () => {
    const { add, file, shown, refused } = played();
    const [bad, next] = [file('bad'), file('next')];
    bad.refuse();
    await add([bad.upload]);
    await add([]);
    expect(refused()).toEqual(['bad']);
    next.take();
    await add([next.upload]);
    expect(shown()).toEqual({ left: 0, taken: 1, refused: [] });
  });
});
