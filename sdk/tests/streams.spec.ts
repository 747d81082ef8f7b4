import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cairn, ConnectionError, TimeoutError } from '../src/index.ts';
import { answer, events, type MisbehavingServer, problem, startMisbehavingServer } from './misbehaving-server.ts';

let server: MisbehavingServer;
let cairn: Cairn;

beforeAll(async () => {
  server = await startMisbehavingServer();
  cairn = new Cairn({ baseUrl: server.baseUrl, apiKey: 'ck_test_1' });
});
afterAll(() => server.close());

async function gather<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
}

describe('a streamed answer', () => {
  const sources = { type: 'sources', data: { citations: [] } };
  const token = { type: 'token', data: { text: 'Grüße\n工' } };
  const done = { type: 'done', data: { answer: 'Grüße\n工' } };

  it('comes event by event, with its type', async () => {
    server.behave(events([sources, token, done]));
    await expect(gather(cairn.search.stream({ query: 'q' }))).resolves.toEqual([
      { type: 'sources', citations: [] },
      { type: 'token', text: 'Grüße\n工' },
      { type: 'done', answer: 'Grüße\n工' },
    ]);
  });

  it('comes whole however its bytes are cut', async () => {
    server.behave(async (_request, response) => {
      const bytes = Buffer.from(
        'event: token\r\ndata: {"text":\r\ndata: "工"}\r\n\r\nevent: done\ndata: {"answer":"工"}\n\n',
      );
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    await expect(gather(cairn.search.stream({ query: 'q' }))).resolves.toEqual([
      { type: 'token', text: '工' },
      { type: 'done', answer: '工' },
    ]);
  });

  it('is begun again before its first event, and never after it', async () => {
    server.behave(problem(503, 'unavailable', { 'retry-after': '0' }), events([done]));
    await expect(gather(cairn.search.stream({ query: 'q' }))).resolves.toEqual([{ type: 'done', answer: 'Grüße\n工' }]);
    server.behave(events([sources, token], { breaks: true }));
    await expect(gather(cairn.search.stream({ query: 'q' }))).rejects.toBeInstanceOf(ConnectionError);
    expect(server.seen.length).toBe(1);
  });

  it('that ends in an error throws it', async () => {
    const error = { type: 'error', data: { code: 'unavailable', detail: 'gone', request_id: 'r' } };
    server.behave(events([sources, error]));
    await expect(gather(cairn.search.stream({ query: 'q' }))).rejects.toMatchObject({
      code: 'unavailable',
      requestId: 'r',
    });
  });

  it.each(['leaves the loop', 'aborts'])('ends the request when the reader %s', async (how) => {
    let closed: () => void;
    const ended = new Promise<void>((resolve) => (closed = resolve));
    server.behave((_request, response) => {
      response.on('close', () => closed());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: token\ndata: {"text":"a"}\n\n');
    });
    const stream = cairn.search.stream({ query: 'q' });
    for await (const event of stream) {
      expect(event).toEqual({ type: 'token', text: 'a' });
      if (how === 'aborts') stream.abort();
      else break;
    }
    await ended;
  });
});

describe('a stream that is aborted', () => {
  it('before its answer begins tells nothing', async () => {
    server.behave((request, response) => {
      setTimeout(() => events([{ type: 'done', data: { answer: 'late' } }])(request, response), 200);
    });
    const stream = cairn.search.stream({ query: 'q' });
    setTimeout(() => stream.abort(), 50);
    await expect(gather(stream)).resolves.toEqual([]);
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(new Error('left')), 50);
    await expect(gather(cairn.search.stream({ query: 'q' }, { signal: leaving.signal }))).rejects.toThrow('left');
  });
});

describe('the events of a tenant', () => {
  const at = (position: number, type = 'memory.entity.created') => ({ type, id: position, data: { position } });
  const asked = () => server.seen.map(({ path }) => new URL(path, server.baseUrl).searchParams.get('last_event_id'));

  it('come without gap and without repeat from where the stream began, however often the connection breaks', async () => {
    server.behave(
      events([at(7, 'stream.position'), at(8)], { breaks: true }),
      problem(503, 'unavailable', { 'retry-after': '0' }),
      events([at(8, 'stream.position'), at(8), at(11), at(14, 'stream.position')]),
      events([at(14, 'stream.position'), at(15)]),
    );
    const positions: number[] = [];
    for await (const { position } of cairn.events.follow({ types: 'memory.entity.created' })) {
      positions.push(position);
      if (position === 15) break;
    }
    expect(positions).toEqual([8, 11, 15]);
    expect(asked()).toEqual([null, '8', '8', '14']);
  });

  it('end with an error where what follows is no longer kept', async () => {
    server.behave(problem(409, 'conflict'));
    await expect(gather(cairn.events.follow({ last_event_id: 3 }))).rejects.toMatchObject({ code: 'conflict' });
    expect(asked()).toEqual(['3']);
  });
});

describe('the events of a run', () => {
  const event = (seq: number, type = 'run.progress') => ({
    type,
    id: seq,
    data: { seq, type, thread_id: 'thr_1', at: '2026-11-23T00:00:00Z', data: {} },
  });

  it('come without gap and without repeat, however often the connection breaks', async () => {
    const all = [1, 2, 3, 4, 5, 6].map((seq) => event(seq, seq === 6 ? 'run.completed' : 'run.progress'));
    server.behave(
      events(all.slice(0, 2), { breaks: true }),
      problem(503, 'unavailable', { 'retry-after': '0' }),
      // As after a restart that forgot where the reader was.
      events(all.slice(0, 4)),
      events(all.slice(4)),
    );
    const seqs = (await gather(cairn.runs.events('thr_1'))).map(({ seq }) => seq);
    expect(seqs).toEqual([1, 2, 3, 4, 5, 6]);
    expect(server.seen.map(({ path }) => new URL(path, server.baseUrl).searchParams.get('last_event_id'))).toEqual([
      '0',
      '2',
      '2',
      '4',
    ]);
  });

  it('go on after an error of the server that passes', async () => {
    const data = { status: 503, code: 'unavailable', detail: 'restarting', request_id: 'r' };
    server.behave(events([event(1), { type: 'error', data }]), events([event(2, 'run.completed')]));
    expect((await gather(cairn.runs.events('thr_1'))).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('end with an error that no connection heals', async () => {
    server.behave(events([event(1)]), problem(404, 'not_found'));
    await expect(gather(cairn.runs.events('thr_1'))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('belong to what started the run, and to its result', async () => {
    server.behave(
      answer({ thread_id: 'thr_1', status: 'queued', success: true, message: '' }),
      events([event(1), event(2, 'run.completed')]),
      answer({ thread_id: 'thr_1', status: 'completed' }),
    );
    const run = await cairn.runs.startPeople({ prompt: 'people' });
    expect(JSON.parse(JSON.stringify(run))).toEqual({
      thread_id: 'thr_1',
      status: 'queued',
      success: true,
      message: '',
    });
    await expect(run.result()).resolves.toEqual({ thread_id: 'thr_1', status: 'completed' });
  });
});

describe('a WebSocket that nobody opens', () => {
  it('is given up after its time, or when its signal says so', async () => {
    const silent = createServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const { port } = silent.address() as AddressInfo;
    const waiting = new Cairn({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'ck_test_1' });
    await expect(waiting.runs.connect('thr_1', {}, { timeoutMs: 50 })).rejects.toBeInstanceOf(TimeoutError);
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(new Error('left')), 50);
    await expect(waiting.runs.connect('thr_1', {}, { signal: leaving.signal })).rejects.toThrow('left');
    silent.close();
  });
});

describe('documents', () => {
  it('are waited for until they are searchable or have failed', async () => {
    server.behave(
      answer({ doc_id: 'doc_1', status: 'parsing' }),
      answer({ doc_id: 'doc_1', status: 'completed' }),
      answer({ doc_id: 'doc_2', status: 'failed' }),
    );
    const waited = await cairn.documents.wait({ documents: [{ doc_id: 'doc_1' }, { doc_id: 'doc_2' }] });
    expect(waited.map(({ status }) => status)).toEqual(['completed', 'failed']);
  });
});
