import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '@cairn/testing';

export interface Received {
  /** The last part of the path that it was sent to. */
  place: string;
  /** When its first byte was here, in milliseconds. */
  at: number;
  rawBody: Buffer;
  headers: IncomingHttpHeaders;
  // The cases look into deliveries of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export type Answering = (response: ServerResponse) => void;

export interface Receiver {
  urlOf(place: string): string;
  /** What the place answers from now on; 204 until it is told. */
  answer(place: string, how: Answering): void;
  received(place: string): Received[];
  close(): void;
}

/** An HTTP server on this machine whose places are receivers of webhooks, all of one host. */
export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const all: Received[] = [];
  const answers = new Map<string, Answering>();
  const server = createServer((request, response) => {
    const at = performance.now();
    const place = request.url!.slice(1);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const rawBody = Buffer.concat(parts);
      const body = rawBody.length === 0 ? null : JSON.parse(rawBody.toString('utf8'));
      all.push({ place, at, rawBody, headers: request.headers, body });
      (answers.get(place) ?? status(204))(response);
    });
  });
  const port = await listenOnLoopback(server, host);
  return {
    urlOf: (place) => `http://${host.includes(':') ? `[${host}]` : host}:${port}/${place}`,
    answer: (place, how) => void answers.set(place, how),
    received: (place) => all.filter((each) => each.place === place),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Answers with the status at once. */
export function status(code: number, headers: Record<string, string> = {}, body = ''): Answering {
  return (response) => void response.writeHead(code, headers).end(body);
}

/** Takes the request and never answers. */
export const hangs: Answering = () => undefined;
