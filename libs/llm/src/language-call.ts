import { type LanguageModel, type ModelMessage, tool, type ToolSet } from 'ai';
import type { BoundedCall } from './bounded-call.ts';
import type { CalledModel, KeyedCall } from './keyed-call.ts';
import { failureOf, ModelFailure } from './model-failure.ts';
import type { ChatMessage, LanguageRequest, ToolDefinition } from './models.ts';

export const CALL_TIMEOUT_MS = 60_000;
const RETRIES = 2;

export interface LanguageModelOptions {
  name: string;
  called: Pick<CalledModel, 'provider' | 'model'>;
  /** Begins one call, which is billed by itself. */
  begin: () => KeyedCall<LanguageModel>;
  outputMaxTokens: number;
  /** Whether the provider takes a JSON schema; otherwise it is described in the prompt. */
  structuredOutputs: boolean;
  stallTimeoutMs?: number;
}

/** The failure of a call in our words; what the caller said when it ended the call itself. */
export function failed(error: unknown, request: LanguageRequest, call: BoundedCall): unknown {
  if (request.signal.aborted) return request.signal.reason;
  const reason: unknown = call.signal.reason;
  return reason instanceof ModelFailure ? reason : failureOf(error, request.signal);
}

/** What each model call sends. */
export function settingsOf(options: LanguageModelOptions, model: LanguageModel, request: LanguageRequest) {
  return {
    model,
    instructions: request.system,
    messages: request.messages.map(toModelMessage),
    ...(request.tools === undefined ? {} : { tools: toToolSet(request.tools) }),
    maxOutputTokens: request.outputMaxTokens ?? options.outputMaxTokens,
    temperature: request.temperature ?? 0,
    maxRetries: request.retries ?? RETRIES,
  };
}

function toToolSet(offers: readonly ToolDefinition[]): ToolSet {
  return Object.fromEntries(
    offers.map(({ name, description, input }) => [name, tool({ description, inputSchema: input })]),
  );
}

function toModelMessage(message: ChatMessage): ModelMessage {
  if (message.role === 'user') return { role: 'user', content: message.content };
  if (message.role === 'tool') {
    const { toolCallId, toolName, result } = message;
    return {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: result } }],
    };
  }
  const calls = (message.toolCalls ?? []).map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
  }));
  const text = message.content === '' ? [] : [{ type: 'text' as const, text: message.content }];
  return { role: 'assistant', content: [...text, ...calls] };
}

export function charactersOf(request: LanguageRequest): number {
  return request.messages.reduce(
    (sum, message) => sum + (message.role === 'tool' ? message.result.length : message.content.length),
    request.system.length,
  );
}
