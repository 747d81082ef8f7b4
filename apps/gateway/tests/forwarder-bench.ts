import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { RequestBinder } from '@cairn/identity';
import type { Duplex } from 'node:stream';
import { eventually, listenOnLoopback } from '@cairn/testing';
import type { Forwarder, Forwarding } from '../src/forwarding/forwarder.ts';

import { startUpstream, type Upstream } from './upstream.ts';

/** A forwarder between a bare server and a service, without the pipeline before it. */
interface ForwarderBench {
  url: string;
  service: Upstream;
  failures: unknown[];
  /** What happens to a request before it is forwarded; the forwarder's answer is handed on. */
  before(change: (request: IncomingMessage, response: ServerResponse) => void): void;
  onForwarding(seen: (forwarding: Forwarding, request: IncomingMessage, response: ServerResponse) => void): void;
  /** Where requests go instead of the service. */
  sendTo(url: string): void;
  close(): Promise<void>;
}

export type CreateForwarder = (onFailure: (error: unknown) => void) => Forwarder;

/** A bench for the specs of one `describe`. */
export function benchFor(create: CreateForwarder): () => ForwarderBench {
  let bench: ForwarderBench;
  beforeAll(async () => {
    bench = await startBench(create);
  });
  afterEach(() => {
    bench.before(() => undefined);
    bench.onForwarding(() => undefined);
    bench.sendTo(bench.service.url);
    bench.failures.length = 0;
    bench.service.seen.length = 0;
  });
  afterAll(() => bench.close());
  return () => bench;
}

async function startBench(create: CreateForwarder): Promise<ForwarderBench> {
  const service = await startUpstream();
  const failures: unknown[] = [];
  const bind: RequestBinder = ({ method, target: path, token }) => `${method} ${path} ${token}`;
  const forwarder = create((error) => failures.push(error));
  let target = service.url;
  let change: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  let seen: (forwarding: Forwarding, request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => {
    request.headers['x-request-id'] = 'req-1';
    response.setHeader('x-request-id', 'req-1');
    delete request.headers.connection;
    change(request, response);
    seen(
      forwarder.http(request, response, { name: 'memory', url: target, bind, isLate: () => undefined }),
      request,
      response,
    );
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    request.headers['x-request-id'] = 'req-1';
    forwarder.upgrade(request, socket, head, { name: 'memory', url: target, bind, isLate: () => undefined });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    service,
    failures,
    before(next) {
      change = next;
    },
    onForwarding(next) {
      seen = next;
    },
    sendTo(url) {
      target = url;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      forwarder.close();
      await eventually(() => service.open() === 0, Boolean, 5_000);
      await service.close();
    },
  };
}

/** Bytes that no encoding leaves alone. */
export function noise(size: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index * 7 + (index >> 8) * 31) & 0xff));
}
