import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textFrom } from 'node:stream/consumers';

interface Message {
  role: string;
  content?: unknown;
}

interface ChatRequest {
  stream?: boolean;
  messages: Message[];
  tools?: { function: { name: string } }[];
}

export interface ScriptedModel {
  /** What an OpenAI-compatible client takes as its base URL. */
  url: string;
  /** The tools that it was offered at its first turn. */
  offered: string[];
  close(): Promise<void>;
}

/**
 * An endpoint of chat completions, plain and streamed, whose model asks the first tool of this name ending, and then
 * repeats what the tool said.
 */
export async function startScriptedModel(toolEnding: string, args: object): Promise<ScriptedModel> {
  const offered: string[] = [];
  const server = createServer((request, response) => {
    void readRequest(request).then(({ stream, messages, tools = [] }) => {
      const result = messages.find(({ role }) => role === 'tool');
      const names = tools.map((tool) => tool.function.name);
      if (result === undefined) offered.push(...names);
      const call = { name: names.find((name) => name.endsWith(toolEnding)), arguments: JSON.stringify(args) };
      const message =
        result === undefined
          ? {
              role: 'assistant',
              content: null,
              tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }],
            }
          : { role: 'assistant', content: JSON.stringify(result.content) };
      const finish_reason = result === undefined ? 'tool_calls' : 'stop';
      const made = { id: 'cmpl_1', created: 0, model: 'scripted' };
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      if (stream !== true) {
        response.setHeader('Content-Type', 'application/json');
        const whole = { ...made, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage };
        return response.end(JSON.stringify(whole));
      }
      response.setHeader('Content-Type', 'text/event-stream');
      const chunk = { ...made, object: 'chat.completion.chunk' };
      const parts = [
        { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
        { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage },
      ];
      return response.end(`${parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')}data: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    offered,
    close: () => closed(server),
  };
}

async function readRequest(request: IncomingMessage): Promise<ChatRequest> {
  return JSON.parse(await textFrom(request)) as ChatRequest;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
