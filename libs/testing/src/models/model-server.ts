import { listenOnLoopback } from '../machine/listen-on-loopback.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelCall, ModelCallBody, ModelReply, ReplyUsage } from './model-reply.ts';
import { textReply } from './model-reply.ts';
import { wordOverlap, wordVector } from './word-vectors.ts';

const DIMENSIONS = 384;
const BODY_MAX_BYTES = 16 * 1_048_576;
const PATHS = ['/chat/completions', '/embeddings', '/rerank'] as const;

export interface ModelServer {
  /** Ends with `/v1`. */
  baseUrl: string;
  /** The only keys it takes. */
  apiKeys: Set<string>;
  /** Every call since the start, or since `calls.length = 0`. */
  calls: ModelCall[];
  /** Calls that are being answered now. */
  readonly openCalls: number;
  /** Connections that clients hold now, idle ones included. */
  openConnections(): Promise<number>;
  /** What language models answer from now on; a function is asked for each call. */
  replyWith(reply: ModelReply | ((call: ModelCall) => ModelReply)): void;
  /** The status that embeddings and reranking answer with from now on; null is well. */
  failVectorsWith(status: number | null): void;
  close(): Promise<void>;
}

/**
 * A provider that speaks the protocol of OpenAI (chat completions, plain and streamed, tools, refusals, structured
 * output; embeddings) and reranking as Jina and Cohere do, on loopback. What it says is scripted; embeddings are
 * vectors of 384 numbers that depend on the text alone.
 */
export async function startModelServer(): Promise<ModelServer> {
  const calls: ModelCall[] = [];
  const apiKeys = new Set(['model-server-key']);
  let reply: ModelReply | ((call: ModelCall) => ModelReply) = textReply('I have nothing to say.');
  let vectorStatus: number | null = null;
  let open = 0;

  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => (open -= 1));
    receive(request, response).catch(() => response.destroy());
  });
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = PATHS.find((known) => request.url === `/v1${known}`);
    if (path === undefined) return fail(response, { kind: 'status', status: 404 });
    const apiKey = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    const body = JSON.parse(await textOf(request)) as ModelCallBody;
    const call: ModelCall = { path, apiKey, body, streamed: body.stream === true, aborted: false };
    calls.push(call);
    response.once('close', () => (call.aborted = !response.writableEnded));
    if (!apiKeys.has(apiKey)) return fail(response, { kind: 'status', status: 401, message: 'no such key' });
    if (path === '/chat/completions')
      return converse(call, typeof reply === 'function' ? reply(call) : reply, response);
    if (vectorStatus !== null) return fail(response, { kind: 'status', status: vectorStatus });
    sendJson(response, path === '/embeddings' ? embeddings(body) : rerank(body));
  }

  const port = await listenOnLoopback(server);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKeys,
    calls,
    get openCalls() {
      return open;
    },
    openConnections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
    replyWith(next) {
      reply = next;
    },
    failVectorsWith(status) {
      vectorStatus = status;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BODY_MAX_BYTES) throw new Error('the request is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function fail(response: ServerResponse, reply: Extract<ModelReply, { kind: 'status' }>): void {
  const { status, retryAfterSeconds, message = `status ${status}` } = reply;
  const retryAfter = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  response.writeHead(status, { 'content-type': 'application/json', ...retryAfter });
  response.end(JSON.stringify({ error: { message, type: 'scripted', code: status } }));
}

const USAGE: ReplyUsage = { prompt_tokens: 100, completion_tokens: 20 };

async function converse(call: ModelCall, reply: ModelReply, response: ServerResponse): Promise<void> {
  if (reply.kind === 'status') return fail(response, reply);
  if (call.streamed) return streamReply(call, reply, response);
  if (reply.kind === 'stalls') return;
  if (reply.kind === 'breaks') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '4096' });
    response.write('{"id":"chat');
    await sleep(5);
    response.destroy();
    return;
  }
  if (reply.kind === 'malformed') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('<html>bad gateway</html>');
    return;
  }
  const usage = reply.kind === 'refusal' ? USAGE : reply.usage === undefined ? USAGE : reply.usage;
  if (reply.kind === 'text') await sleep((reply.pieceDelayMs ?? 0) * reply.pieces.length);
  sendJson(response, {
    ...headOf(call, 'chat.completion'),
    choices: [{ index: 0, message: { role: 'assistant', ...messageOf(reply) }, finish_reason: finishOf(reply) }],
    ...(usage === null ? {} : { usage: { total_tokens: usage.prompt_tokens + usage.completion_tokens, ...usage } }),
  });
}

function messageOf(reply: Extract<ModelReply, { kind: 'text' | 'tools' | 'refusal' }>) {
  if (reply.kind === 'tools') return { content: reply.text ?? null, tool_calls: toolCallsOf(reply) };
  return { content: reply.kind === 'text' ? reply.pieces.join('') : reply.text };
}

function finishOf(reply: ModelReply): string {
  if (reply.kind === 'tools') return 'tool_calls';
  if (reply.kind === 'refusal') return 'content_filter';
  return reply.kind === 'text' ? (reply.finish ?? 'stop') : 'stop';
}

function toolCallsOf(reply: Extract<ModelReply, { kind: 'tools' }>) {
  return reply.calls.map(({ name, input }, index) => ({
    index,
    id: `call_${index + 1}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
}

function headOf(call: ModelCall, object: string) {
  return { id: 'chatcmpl-1', object, created: 1_750_000_000, model: call.body.model };
}

async function streamReply(call: ModelCall, reply: ModelReply, response: ServerResponse): Promise<void> {
  const closed = onceEmitted(response, 'close');
  const send = async (choice: Record<string, unknown> | null, more: Record<string, unknown> = {}) => {
    const event = {
      ...headOf(call, 'chat.completion.chunk'),
      choices: choice === null ? [] : [{ index: 0, ...choice }],
      ...more,
    };
    if (!response.write(`data: ${JSON.stringify(event)}\n\n`) && !response.destroyed)
      await Promise.race([onceEmitted(response, 'drain'), closed]);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await send({ delta: { role: 'assistant', content: '' }, finish_reason: null });
  const pieces = 'pieces' in reply ? reply.pieces : 'text' in reply && reply.text !== undefined ? [reply.text] : [];
  for (const piece of pieces) {
    if (reply.kind === 'text' && reply.pieceDelayMs !== undefined) await sleep(reply.pieceDelayMs);
    if (response.destroyed) return;
    await send({ delta: { content: piece }, finish_reason: null });
  }
  if (reply.kind === 'stalls') return;
  if (reply.kind === 'breaks') {
    await sleep(5);
    response.destroy();
    return;
  }
  if (reply.kind === 'malformed') {
    response.end('data: {"choices": [{"delta": {"content": \n\n');
    return;
  }
  if (reply.kind === 'tools') await send({ delta: { tool_calls: toolCallsOf(reply) }, finish_reason: null });
  await send({ delta: {}, finish_reason: finishOf(reply) });
  const usage = 'usage' in reply && reply.usage !== undefined ? reply.usage : USAGE;
  if (usage !== null)
    await send(null, { usage: { total_tokens: usage.prompt_tokens + usage.completion_tokens, ...usage } });
  response.end('data: [DONE]\n\n');
}

function onceEmitted(response: ServerResponse, event: string): Promise<void> {
  return new Promise((resolve) => response.once(event, () => resolve()));
}

function embeddings({ input, model }: ModelCallBody) {
  const texts = typeof input === 'string' ? [input] : (input ?? []);
  return {
    object: 'list',
    model,
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: wordVector(text, DIMENSIONS) })),
    usage: { prompt_tokens: texts.join(' ').length, total_tokens: texts.join(' ').length },
  };
}

function rerank({ query = '', documents = [] }: ModelCallBody) {
  const results = documents
    .map((text, index) => ({ index, relevance_score: wordOverlap(query, text) }))
    .sort((a, b) => b.relevance_score - a.relevance_score);
  return { results, usage: { total_tokens: documents.join(' ').length } };
}
