import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { CairnError } from '@cairn/errors';
import { eventually } from '@cairn/testing';
import { plainBehaviour, type SampleService, startSampleService } from './sample-service.ts';

let service: SampleService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.close());
beforeEach(() => {
  Object.assign(service.behaviour, plainBehaviour());
});
afterEach(() => {
  jest.useRealTimers();
});

/** The stream's events as [name, data]; comments are left out. */
function eventsIn(text: string): [string, unknown][] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [name, data] = block.split('\n') as [string, string];
      return [name.slice('event: '.length), JSON.parse(data.slice('data: '.length)) as unknown];
    });
}

/** Asks for the stream over a bare socket, which reads only when told to. */
async function openFeed(): Promise<{ socket: Socket; text(): string }> {
  const { hostname, port } = new URL(service.http.url);
  const bound = await service.headersFor({ method: 'GET', url: '/api/v1/feed' });
  const headers = Object.entries(bound).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  socket.on('error', () => undefined);
  socket.write(`GET /api/v1/feed HTTP/1.1\r\nhost: x\r\n${headers.join('')}\r\n`);
  return { socket, text: () => received };
}

describe('a stream', () => {
  it('arrives event by event, in order, as text/event-stream that nobody buffers', async () => {
    let next = () => {};
    service.behaviour.feed = async (_call, emit) => {
      for (let n = 0; n < 3; n += 1) {
        await emit('item', { n, fill: 'a\nb' });
        await new Promise<void>((resolve) => (next = resolve));
      }
      await emit('done', {});
    };
    const response = await service.fetch('/api/v1/feed');
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let n = 0; n < 3; n += 1) {
      while (eventsIn(text).length <= n) text += (await reader.read()).value!;
      expect(eventsIn(text)).toHaveLength(n + 1);
      next();
    }
    for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
    expect(eventsIn(text)).toEqual([...[0, 1, 2].map((n) => ['item', { n, fill: 'a\nb' }]), ['done', {}]]);
  });

  it('that fails before its first event is a plain error answer', async () => {
    service.behaviour.feed = () => Promise.reject(new CairnError('not_found', 'The memory was not found.'));
    const response = await service.fetch('/api/v1/feed');
    expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
  });

  it.each<[string, unknown, object]>([
    [
      'with a code of ours',
      new CairnError('unavailable', 'Not now.'),
      { status: 503, code: 'unavailable', detail: 'Not now.' },
    ],
    ['inside', new Error('hunter2'), { code: 'internal', detail: expect.not.stringContaining('hunter2') }],
    ['because its time is up', new DOMException('x', 'TimeoutError'), { code: 'deadline_exceeded' }],
  ])('that fails %s after it began ends with an error event, and is logged', async (_what, failure, data) => {
    const before = service.logged().length;
    service.behaviour.feed = async (_call, emit) => {
      await emit('item', { n: 0, fill: '' });
      throw failure;
    };
    const response = await service.fetch('/api/v1/feed', { headers: { 'x-request-id': 'req-sse' } });
    const events = eventsIn(await response.text());
    expect(events.map(([name]) => name)).toEqual(['item', 'error']);
    expect(events[1]![1]).toMatchObject({ ...data, request_id: 'req-sse' });
    expect(service.logged().slice(before)).toMatchObject([{ msg: 'http: request failed', request_id: 'req-sse' }]);
  });
});

describe('a client of a stream', () => {
  it('that is slow holds the work back instead of filling the memory, and misses nothing', async () => {
    let sent = 0;
    const fill = 'x'.repeat(1_000_000);
    service.behaviour.feed = async (_call, emit) => {
      for (; sent < 60; sent += 1) await emit('item', { n: sent, fill });
      await emit('done', {});
    };
    const { socket, text } = await openFeed();
    socket.pause();
    let last = -1;
    await eventually(() => {
      const settled = sent === last && sent > 0;
      last = sent;
      return settled;
    });
    // The kernel takes some megabytes; beyond them one event waits.
    expect(sent).toBeLessThan(30);
    socket.resume();
    await eventually(() => text().includes('event: done'));
    expect(eventsIn(text().replaceAll(/\r\n[0-9a-f]+\r\n/g, '')).length + sent).toBeGreaterThan(60);
    expect([...text().matchAll(/"n":(\d+)/g)].map((match) => Number(match[1]))).toEqual(
      Array.from({ length: 60 }, (_, n) => n),
    );
    socket.destroy();
  });

  it('that leaves stops the work, also when the work waits for it to read', async () => {
    const outcome: string[] = [];
    const fill = 'x'.repeat(1_000_000);
    let sent = 0;
    service.behaviour.feed = async ({ signal }, emit) => {
      signal.addEventListener('abort', () => outcome.push('aborted'));
      try {
        for (;;) {
          await emit('item', { n: sent, fill });
          sent += 1;
        }
      } catch (error) {
        outcome.push('stopped');
        throw error;
      }
    };
    const { socket } = await openFeed();
    socket.pause();
    await eventually(() => sent > 0);
    socket.destroy();
    await eventually(() => outcome.length === 2);
    expect(outcome.sort()).toEqual(['aborted', 'stopped']);
  });

  it('that leaves between two events stops the work with the next', async () => {
    let signalled = false;
    let stopped = false;
    service.behaviour.feed = async ({ signal }, emit) => {
      await emit('item', { n: 0, fill: '' });
      await eventually(() => signal.aborted);
      signalled = true;
      await emit('item', { n: 1, fill: '' }).catch(() => {
        stopped = true;
      });
    };
    const { socket, text } = await openFeed();
    await eventually(() => text().includes('"n":0'));
    socket.destroy();
    await eventually(() => stopped);
    expect(signalled).toBe(true);
  });

  it('gets a sign of life every 15 seconds while nothing happens, and none after the end', async () => {
    jest.useFakeTimers({
      doNotFake: [
        'setTimeout',
        'clearTimeout',
        'setImmediate',
        'clearImmediate',
        'nextTick',
        'queueMicrotask',
        'performance',
        'Date',
        'hrtime',
      ],
    });
    let finish = () => {};
    service.behaviour.feed = async (_call, emit) => {
      await emit('item', { n: 0, fill: '' });
      await new Promise<void>((resolve) => (finish = resolve));
      await emit('done', {});
    };
    const { socket, text } = await openFeed();
    const comments = () => [...text().matchAll(/\n: keep-alive\n/g)].length;
    await eventually(() => text().includes('"n":0'));
    expect(comments()).toBe(0);
    jest.advanceTimersByTime(15_000);
    await eventually(() => comments() === 1);
    jest.advanceTimersByTime(30_000);
    await eventually(() => comments() === 3);
    finish();
    await eventually(() => text().includes('event: done'));
    await eventually(() => jest.getTimerCount() === 0);
    socket.destroy();
  });
});
