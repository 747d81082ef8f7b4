import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Answers one request; it may also break the connection. */
type Behaviour = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

export interface MisbehavingServer {
  baseUrl: string;
  seen: SeenRequest[];
  /** What is done with the next requests, in their order; the last one stays. */
  behave(...behaviours: Behaviour[]): void;
  close(): Promise<void>;
}

/** A server of loopback that does to each request what the test says. */
export async function startMisbehavingServer(): Promise<MisbehavingServer> {
  const seen: SeenRequest[] = [];
  let behaviours: Behaviour[] = [];
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(parts).toString(),
    };
    seen.push(request);
    const behaviour = behaviours.length > 1 ? behaviours.shift()! : behaviours[0]!;
    await behaviour(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    behave: (...next) => {
      behaviours = next;
      seen.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const answer =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Behaviour =>
  answer({ status, code, title: code, detail: `said by the test: ${code}`, request_id: 'req_1' }, status, headers);

/** The request arrived and was worked off; its answer was lost. */
export const reset: Behaviour = (_request, response) => {
  response.destroy();
};

/** Half of an answer. */
export const half: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"documents":');
  setTimeout(() => response.destroy(), 10);
};

/** Events as the API writes them; `breaks` cuts the connection after the last one. */
export const events =
  (list: { type: string; data: unknown; id?: number }[], { breaks = false } = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': keep-alive\n\n');
    for (const { type, data, id } of list)
      response.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    if (breaks) setTimeout(() => response.destroy(), 10);
    else response.end();
  };
