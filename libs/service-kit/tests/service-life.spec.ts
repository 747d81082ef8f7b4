import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { eventually } from '@cairn/testing';
import { listenHttp, type HttpListener } from '../src/index.ts';

const ANY_PORT = { host: '127.0.0.1', port: 0 };

afterEach(() => {
  jest.useRealTimers();
});

describe('a service as a process', () => {
  function start(
    manner = '',
    stallMs = 0,
  ): { child: ChildProcess; output(): string; ended: Promise<[number | null, NodeJS.Signals | null]> } {
    const child = fork(join(import.meta.dirname, 'service-process.ts'), [manner, `${stallMs}`], {
      silent: true,
      execArgv: [],
    });
    let output = '';
    child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return {
      child,
      output: () => output,
      ended: once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
    };
  }

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'tells its parent where it listens, and ends with 0 on %s',
    async (signal) => {
      const { child, ended } = start();
      const [ready] = (await once(child, 'message')) as [{ type: string; http: string }];
      expect(ready).toMatchObject({ type: 'ready', http: expect.stringMatching(/^http:/) });
      expect(await (await fetch(ready.http)).text()).toBe('hello');
      child.kill(signal);
      expect((await ended)[0]).toBe(0);
    },
  );

  it('ends when its parent is gone', async () => {
    const { child, ended, output } = start();
    await once(child, 'message');
    child.disconnect();
    expect((await ended)[0]).toBe(0);
    expect(output()).toContain('parent gone');
  });

  it.each([
    ['cannot-start', 'no database'],
    ['breaks', 'forgotten'],
  ])('that %s ends with 1 and says why', async (manner, why) => {
    const { ended, output } = start(manner);
    expect((await ended)[0]).toBe(1);
    expect(output()).toContain(why);
  });

  it('whose event loop stalls for too long is killed, and its log says what it was doing', async () => {
    const { ended, output } = start('stalls', 600_000);
    expect((await ended)[1]).toBe('SIGKILL');
    const last = JSON.parse(output().trim().split('\n').at(-1)!) as Record<string, unknown>;
    expect(last).toMatchObject({ level: 60, service: 'sample', last_work: 'run thr_1 (people) criteria' });
    expect(last['stalled_ms']).toBeGreaterThanOrEqual(4_000);
  });

  it('whose event loop stalls for a while goes on, and its log says for how long', async () => {
    const { child, output } = start('stalls', 2_500);
    await eventually(() => /"last_work":"run thr_1 \(people\) criteria","msg":"event loop: stalled"/.test(output()));
    await eventually(() => output().includes('event loop: running again after a stall'));
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('that cannot stop ends with 1 and says why', async () => {
    const { child, ended, output } = start('cannot-stop');
    await once(child, 'message');
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(1);
    expect(output()).toContain('still busy');
  });
});

describe('closing an HTTP server', () => {
  interface Held {
    listener: HttpListener;
    answer: Promise<IncomingMessage>;
    response: ServerResponse;
    agent: Agent;
  }

  /** A server with one request in hand, on a connection that is kept alive. */
  async function holdRequest(): Promise<Held> {
    const responses: ServerResponse[] = [];
    const listener = await listenHttp((_request, response) => void responses.push(response), ANY_PORT);
    const agent = new Agent({ keepAlive: true });
    const answer = new Promise<IncomingMessage>((resolve, reject) =>
      get(listener.url, { agent }, resolve).on('error', reject),
    );
    answer.catch(() => undefined);
    await eventually(() => responses.length === 1);
    return { listener, answer, response: responses[0]!, agent };
  }

  it('lets the request in hand end, takes no new one, and is done at once then', async () => {
    const { listener, answer, response, agent } = await holdRequest();
    const begun = performance.now();
    const closed = listener.close();
    await expect(fetch(listener.url)).rejects.toThrow();
    response.end('late');
    const message = await answer;
    message.setEncoding('utf8');
    expect((await message.toArray()).join('')).toBe('late');
    await closed;
    expect(performance.now() - begun).toBeLessThan(3_000);
    agent.destroy();
  });

  it('closes connections that are idle', async () => {
    const listener = await listenHttp((_request, response) => response.end('x'), ANY_PORT);
    await (await fetch(listener.url)).text();
    const begun = performance.now();
    await listener.close();
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  it('cuts off after five seconds what does not end', async () => {
    const { listener, answer, agent } = await holdRequest();
    jest.useFakeTimers({
      doNotFake: [
        'setInterval',
        'clearInterval',
        'setImmediate',
        'clearImmediate',
        'nextTick',
        'queueMicrotask',
        'performance',
        'Date',
        'hrtime',
      ],
    });
    const closed = listener.close();
    jest.advanceTimersByTime(4_999);
    expect(listener.server.listening).toBe(false);
    jest.advanceTimersByTime(1);
    await closed;
    await expect(answer).rejects.toThrow(/socket hang up|ECONNRESET/);
    agent.destroy();
  });
});

describe('an HTTP server', () => {
  it('whose port is taken does not start', async () => {
    const first = await listenHttp((_request, response) => response.end(), ANY_PORT);
    const port = Number(new URL(first.url).port);
    await expect(listenHttp((_request, response) => response.end(), { host: '127.0.0.1', port })).rejects.toMatchObject(
      { code: 'EADDRINUSE' },
    );
    await first.close();
  });

  it('does not wait for ever for the headers of a request', async () => {
    const listener = await listenHttp((_request, response) => response.end(), ANY_PORT, {
      headersTimeoutMs: 50,
      requestTimeoutMs: 50,
    });
    expect(listener.server.headersTimeout).toBe(50);
    expect(listener.server.requestTimeout).toBe(50);
    await listener.close();
  });

  it('takes no headers beyond its bound', async () => {
    const listener = await listenHttp((_request, response) => response.end(), ANY_PORT, { maxHeaderBytes: 1_024 });
    expect((await fetch(listener.url, { headers: { long: 'x'.repeat(2_000) } })).status).toBe(431);
    await listener.close();
  });
});
