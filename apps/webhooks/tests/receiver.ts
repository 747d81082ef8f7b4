import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  atMs: number;
  headers: IncomingHttpHeaders;
  body: string;
  event: { event_id: string; event: string; scope: Record<string, string>; payload: Record<string, unknown> };
}

export type Answering = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** From now on answered in this way; 204 at first. */
  answer: (answering: Answering) => void;
  close(): Promise<void>;
}

export const status =
  (code: number, body = ''): Answering =>
  (response) => {
    response.writeHead(code).end(body);
  };

/** A real HTTP server that keeps what it is sent. */
export async function startReceiver(port = 0, host = '127.0.0.1'): Promise<Receiver> {
  const received: Received[] = [];
  let answering: Answering = status(204);
  const open = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const one = { atMs: Date.now(), headers: request.headers, body, event: JSON.parse(body) as Received['event'] };
      received.push(one);
      answering(response, one, request);
    });
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host}:${bound}/hook`,
    port: bound,
    received,
    answer(next) {
      answering = next;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
