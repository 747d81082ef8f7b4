import { describe, expect, it } from '@jest/globals';
import { superviseServer } from './supervise-server.ts';

/** A server whose end the spec decides. */
function server() {
  const ended = Promise.withResolvers<void>();
  let stopped = false;
  return {
    exited: ended.promise,
    die: () => ended.resolve(),
    wasStopped: () => stopped,
    stop: async () => {
      stopped = true;
      ended.resolve();
    },
  };
}

const DELAYS_MS = [0, 0, 0];

describe('a supervised server', () => {
  it('is started again when it dies, and again when that one dies', async () => {
    const [first, second, third] = [server(), server(), server()];
    const starts = [second, third];
    const restarted = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const supervision = superviseServer({
      name: 'PostgreSQL',
      server: first,
      restart: async () => {
        restarted[2 - starts.length]!.resolve();
        return starts.shift()!;
      },
      log: () => undefined,
      onGiveUp: () => undefined,
      restartDelaysMs: DELAYS_MS,
    });
    first.die();
    await restarted[0]!.promise;
    second.die();
    await restarted[1]!.promise;
    await supervision.stop();
    expect([first.wasStopped(), third.wasStopped()]).toEqual([false, true]);
    expect(starts).toEqual([]);
  });

  it('is given up, once and with the reason, when it cannot be started again', async () => {
    const lines: string[] = [];
    const given = Promise.withResolvers<Error>();
    let attempts = 0;
    const first = server();
    const supervision = superviseServer({
      name: 'NATS',
      server: first,
      restart: async () => {
        attempts += 1;
        throw new Error('the disk is full');
      },
      log: (line) => lines.push(line),
      onGiveUp: given.resolve,
      restartDelaysMs: DELAYS_MS,
    });
    first.die();
    expect((await given.promise).message).toBe('NATS was started again 3 times in vain: the disk is full');
    expect(attempts).toBe(3);
    expect(lines.filter((line) => line.includes('the disk is full'))).toHaveLength(3);
    await supervision.stop();
  });

  it('is given up when it starts and dies over and over', async () => {
    const given = Promise.withResolvers<Error>();
    const first = server();
    const supervision = superviseServer({
      name: 'NATS',
      server: first,
      restart: async () => {
        const next = server();
        next.die();
        return next;
      },
      log: () => undefined,
      onGiveUp: given.resolve,
      restartDelaysMs: DELAYS_MS,
    });
    first.die();
    expect((await given.promise).message).toBe('NATS was started again 3 times in vain: it ended each time');
    await supervision.stop();
  });

  it('is not started again after it was stopped, and one that was just being started is stopped as well', async () => {
    const [first, second] = [server(), server()];
    const [starting, started] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const supervision = superviseServer({
      name: 'NATS',
      server: first,
      restart: async () => {
        starting.resolve();
        await started.promise;
        return second;
      },
      log: () => undefined,
      onGiveUp: () => undefined,
      restartDelaysMs: DELAYS_MS,
    });
    first.die();
    await starting.promise;
    const stopped = supervision.stop();
    started.resolve();
    await stopped;
    expect(second.wasStopped()).toBe(true);
  });
});
