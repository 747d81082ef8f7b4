import { request as startRequest, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';

export interface CallOptions {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
  text: string;
}

/** Starts a request on a connection of its own and leaves it open; the caller sends and ends. */
export function openCall(url: string, path: string, { method = 'GET', headers = {} }: CallOptions = {}): ClientRequest {
  const { hostname, port } = new URL(url);
  const call = startRequest({ hostname, port, path, method, headers, agent: false });
  call.on('error', () => undefined);
  return call;
}

/** The head of the answer; fails when the connection ends before it. */
export function headOf(call: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once('response', resolve);
    call.once('error', reject);
  });
}

/** Sends one request on a connection of its own and reads the whole answer; rejects when that breaks off. */
export async function callHttp(url: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const call = openCall(url, path, options);
  const head = headOf(call);
  call.end(options.body);
  const answer = await head;
  const bytes = await bytesOf(answer);
  return { status: answer.statusCode!, headers: answer.headers, bytes, text: bytes.toString() };
}

export async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
