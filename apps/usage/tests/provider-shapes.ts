import { listenOnLoopback } from '@cairn/testing';
import { createServer, type ServerResponse } from 'node:http';

/** How a provider says what a call used: the same call buffered and streamed, and what it comes to. */
export interface ProviderShape {
  name: string;
  protocol: 'openai-compatible' | 'anthropic';
  model: string;
  /** `usage` of the buffered answer. */
  buffered: object;
  /** The `usage` of each event of the stream that has one, in order. */
  streamed: object[];
  tokens: { input: number; output: number; cached: number; cacheWrite: number; reasoning: number };
  costNanoUsd: number;
}

const openAi = {
  prompt_tokens: 1_000,
  completion_tokens: 300,
  total_tokens: 1_300,
  prompt_tokens_details: { cached_tokens: 400 },
  completion_tokens_details: { reasoning_tokens: 120 },
};

const besides = {
  prompt_tokens: 100,
  completion_tokens: 10,
  total_tokens: 210,
  completion_tokens_details: { reasoning_tokens: 100 },
};

/** The golden table. `acme/plain` costs 1,000 in, 4,000 out, 100 cached, 1,250 written to the cache. */
export const SHAPES: ProviderShape[] = [
  {
    name: 'OpenAI: cached and reasoning tokens are parts of the sums; the stream says all at its end',
    protocol: 'openai-compatible',
    model: 'plain',
    buffered: openAi,
    streamed: [openAi],
    tokens: { input: 1_000, output: 300, cached: 400, cacheWrite: 0, reasoning: 120 },
    costNanoUsd: 600 * 1_000 + 400 * 100 + 300 * 4_000,
  },
  {
    name: 'vLLM and others: usage so far with every piece, the last one counts',
    protocol: 'openai-compatible',
    model: 'plain',
    buffered: { prompt_tokens: 50, completion_tokens: 30, total_tokens: 80 },
    streamed: [
      { prompt_tokens: 50, completion_tokens: 0, total_tokens: 50 },
      { prompt_tokens: 50, completion_tokens: 12, total_tokens: 62 },
      { prompt_tokens: 50, completion_tokens: 30, total_tokens: 80 },
    ],
    tokens: { input: 50, output: 30, cached: 0, cacheWrite: 0, reasoning: 0 },
    costNanoUsd: 50 * 1_000 + 30 * 4_000,
  },
  {
    name: 'xAI: reasoning stands beside the output, and is in the total alone',
    protocol: 'openai-compatible',
    model: 'plain',
    buffered: besides,
    streamed: [besides],
    tokens: { input: 100, output: 110, cached: 0, cacheWrite: 0, reasoning: 100 },
    costNanoUsd: 100 * 1_000 + 110 * 4_000,
  },
  {
    name: 'Gemini’s compatible interface: thoughts are in the total and nowhere else',
    protocol: 'openai-compatible',
    model: 'plain',
    buffered: { prompt_tokens: 9, completion_tokens: 10, total_tokens: 560 },
    streamed: [{ prompt_tokens: 9, completion_tokens: 10, total_tokens: 560 }],
    tokens: { input: 9, output: 551, cached: 0, cacheWrite: 0, reasoning: 0 },
    costNanoUsd: 9 * 1_000 + 551 * 4_000,
  },
  {
    name: 'Anthropic: cache reads and writes harness beside the input; the stream begins with a guess of the output',
    protocol: 'anthropic',
    model: 'plain',
    buffered: {
      input_tokens: 600,
      cache_read_input_tokens: 300,
      cache_creation_input_tokens: 100,
      output_tokens: 50,
    },
    streamed: [
      { input_tokens: 600, cache_read_input_tokens: 300, cache_creation_input_tokens: 100, output_tokens: 1 },
      { output_tokens: 50 },
    ],
    tokens: { input: 1_000, output: 50, cached: 300, cacheWrite: 100, reasoning: 0 },
    costNanoUsd: 600 * 1_000 + 300 * 100 + 100 * 1_250 + 50 * 4_000,
  },
  {
    name: 'Anthropic: without a cache',
    protocol: 'anthropic',
    model: 'plain',
    buffered: { input_tokens: 10, output_tokens: 20 },
    streamed: [{ input_tokens: 10, output_tokens: 4 }, { output_tokens: 20 }],
    tokens: { input: 10, output: 20, cached: 0, cacheWrite: 0, reasoning: 0 },
    costNanoUsd: 10 * 1_000 + 20 * 4_000,
  },
  {
    name: 'prices below a nano-USD: rounded once, for the whole call',
    protocol: 'openai-compatible',
    model: 'small',
    buffered: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
    streamed: [{ prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }],
    tokens: { input: 3, output: 1, cached: 0, cacheWrite: 0, reasoning: 0 },
    // 3 × 37.5 + 150.5, no rounding needed; 1 token alone would be 37.5.
    costNanoUsd: 263,
  },
];

export interface ShapedProvider {
  baseUrl: string;
  /** What it says from now on. */
  say(shape: ProviderShape): void;
  close(): Promise<void>;
}

const TEXT = ['It is ', 'called Ida.'];

/** A provider on loopback that speaks both protocols, plain and streamed, and says the usage it is told to. */
export async function startShapedProvider(): Promise<ShapedProvider> {
  let shape = SHAPES[0]!;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { stream } = JSON.parse(Buffer.concat(parts).toString()) as { stream?: boolean };
      const anthropic = request.url!.endsWith('/messages');
      if (stream === true) (anthropic ? streamAnthropic : streamOpenAi)(response, shape);
      else sendWhole(response, anthropic ? wholeAnthropic(shape) : wholeOpenAi(shape));
    });
  });
  const port = await listenOnLoopback(server);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    say: (next) => (shape = next),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function sendWhole(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function wholeOpenAi({ buffered, model }: ProviderShape) {
  const message = { role: 'assistant', content: TEXT.join('') };
  const head = { id: 'chatcmpl-1', object: 'chat.completion', created: 1_750_000_000, model };
  return { ...head, choices: [{ index: 0, message, finish_reason: 'stop' }], usage: buffered };
}

function streamOpenAi(response: ServerResponse, { streamed, model }: ProviderShape): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_750_000_000, model };
  const send = (more: object) => response.write(`data: ${JSON.stringify({ ...head, ...more })}\n\n`);
  TEXT.forEach((content, n) => {
    const usage = streamed.length > 1 ? { usage: streamed[n] } : {};
    send({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }], ...usage });
  });
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage: streamed.at(-1) });
  response.end('data: [DONE]\n\n');
}

function wholeAnthropic({ buffered, model }: ProviderShape) {
  const content = [{ type: 'text', text: TEXT.join('') }];
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model };
  return { ...head, content, stop_reason: 'end_turn', stop_sequence: null, usage: buffered };
}

function streamAnthropic(response: ServerResponse, { streamed, model }: ProviderShape): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, more: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [] };
  send('message_start', { message: { ...message, stop_reason: null, stop_sequence: null, usage: streamed[0] } });
  send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  for (const text of TEXT) send('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: streamed.at(-1) });
  send('message_stop', {});
  response.end();
}
