import {
  generateText,
  type LanguageModel,
  type ModelMessage,
  NoObjectGeneratedError,
  Output,
  streamText,
  tool,
  type ToolSet,
} from 'ai';
import { z } from 'zod';
import { type BoundedCall, boundCall } from './bounded-call.ts';
import { type Billing, estimatedUsage, meterCall, usageOf } from './metering.ts';
import { failureOf, ModelFailure } from './model-failure.ts';
import { readObject } from './read-object.ts';
import { observeCall, observeStream } from './observe-call.ts';
import type {
  ChatMessage,
  GeneratedText,
  LanguageModelPort,
  LanguageRequest,
  ModelUsage,
  ToolOffer,
} from './models.ts';

const CALL_TIMEOUT_MS = 60_000;
/** Longest wait for the next piece of a stream, the first included. */
const STALL_TIMEOUT_MS = 15_000;
const RETRIES = 2;

interface LanguageModelOptions {
  name: string;
  model: LanguageModel;
  billing: Billing;
  outputMaxTokens: number;
  /** Whether the provider takes a JSON schema; otherwise it is described in the prompt. */
  structuredOutputs: boolean;
  stallTimeoutMs?: number;
}

/** A language model behind the AI SDK, bounded in time and metered. */
export function createLanguageModel(options: LanguageModelOptions): LanguageModelPort {
  const { name, billing } = options;
  const called = { ...billing, kind: 'language' } as const;
  return {
    name,
    byok: billing.byok,
    generate: (request) => observeCall(called, () => generate(options, request)),
    generateObject: (request, schema) => observeCall(called, () => generateObject(options, request, schema)),
    stream: (request) => observeStream(called, streamOf(options, request)),
  };
}

async function generate(options: LanguageModelOptions, request: LanguageRequest): Promise<GeneratedText> {
  const call = boundCall(request.signal, request.callTimeoutMs ?? CALL_TIMEOUT_MS);
  try {
    const result = await generateText({ ...settingsOf(options, request), abortSignal: call.signal });
    const usage = usageOf(result.usage, charactersOf(request), result.text.length);
    await meterCall(options.billing, request, usage, { streamed: false, raw: result.usage.raw });
    const toolCalls = result.toolCalls.map(({ toolCallId, toolName, input }) => ({
      id: toolCallId,
      name: toolName,
      input: input as unknown,
    }));
    return { text: result.text, toolCalls, finishReason: result.finishReason, usage };
  } catch (error) {
    throw failed(error, request, call);
  } finally {
    call.end();
  }
}

async function generateObject<T>(
  options: LanguageModelOptions,
  request: LanguageRequest,
  schema: z.ZodType<T>,
): Promise<{ object: T; usage: ModelUsage }> {
  const call = boundCall(request.signal, request.callTimeoutMs ?? CALL_TIMEOUT_MS);
  try {
    const result = await generateText({
      ...settingsOf(options, options.structuredOutputs ? request : withSchemaInWords(request, schema)),
      abortSignal: call.signal,
      output: Output.object({ schema }),
    });
    const usage = usageOf(result.usage, charactersOf(request), result.text.length);
    await meterCall(options.billing, request, usage, { streamed: false, raw: result.usage.raw });
    const { output } = result;
    return { object: output as T, usage };
  } catch (error) {
    // An answer that does not fit the schema has cost as much.
    if (NoObjectGeneratedError.isInstance(error) && error.usage !== undefined) {
      const usage = usageOf(error.usage, charactersOf(request), error.text?.length ?? 0);
      await meterCall(options.billing, request, usage, { streamed: false, raw: error.usage.raw });
      const object = readObject(error.text ?? '', schema);
      if (object !== null && !request.signal.aborted) return { object, usage };
    }
    throw failed(error, request, call);
  } finally {
    call.end();
  }
}

function withSchemaInWords(request: LanguageRequest, schema: z.ZodType): LanguageRequest {
  const words = `Answer with one JSON object and nothing else. Its JSON schema: ${JSON.stringify(z.toJSONSchema(schema))}`;
  return { ...request, system: `${request.system}\n\n${words}` };
}

async function* streamOf(options: LanguageModelOptions, request: LanguageRequest): AsyncGenerator<string> {
  const call = boundCall(
    request.signal,
    request.callTimeoutMs ?? CALL_TIMEOUT_MS,
    options.stallTimeoutMs ?? STALL_TIMEOUT_MS,
  );
  let charactersOut = 0;
  let usage: ModelUsage | null = null;
  let raw: unknown;
  let sent = false;
  try {
    const result = streamText({
      ...settingsOf(options, { retries: 0, ...request }),
      abortSignal: call.signal,
      // Errors come as parts of the stream; the SDK would print them too.
      onError: () => {},
    });
    for await (const part of result.stream) {
      call.alive();
      if (part.type === 'start-step') sent = true;
      if (part.type === 'text-delta' && part.text !== '') {
        charactersOut += part.text.length;
        yield part.text;
        // The time that the reader takes is not the provider's.
        call.alive();
      } else if (part.type === 'error') throw part.error;
      else if (part.type === 'abort') throw call.signal.reason;
      else if (part.type === 'finish') {
        usage = usageOf(part.totalUsage, charactersOf(request), charactersOut);
        raw = part.totalUsage.raw;
        if (part.finishReason === 'error') throw new ModelFailure('broken_off', 'the provider ended with an error');
      }
    }
    if (usage === null || (usage.estimated && charactersOut === 0))
      throw new ModelFailure('broken_off', 'the stream ended before the answer did');
  } catch (error) {
    throw failed(error, request, call);
  } finally {
    call.end();
    // Tokens that were written before a break, or before the caller went away, are billed: they are counted too.
    if (usage === null && charactersOut > 0) usage = estimatedUsage(charactersOf(request), charactersOut);
    if (sent && usage !== null) await meterCall(options.billing, request, usage, { streamed: true, raw });
  }
}

function failed(error: unknown, request: LanguageRequest, call: BoundedCall): unknown {
  if (request.signal.aborted) return request.signal.reason;
  const reason: unknown = call.signal.reason;
  return reason instanceof ModelFailure ? reason : failureOf(error, request.signal);
}

function settingsOf(options: LanguageModelOptions, request: LanguageRequest) {
  return {
    model: options.model,
    instructions: request.system,
    messages: request.messages.map(toModelMessage),
    ...(request.tools === undefined ? {} : { tools: toToolSet(request.tools) }),
    maxOutputTokens: request.outputMaxTokens ?? options.outputMaxTokens,
    temperature: request.temperature ?? 0,
    maxRetries: request.retries ?? RETRIES,
  };
}

function toToolSet(offers: readonly ToolOffer[]): ToolSet {
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

function charactersOf(request: LanguageRequest): number {
  return request.messages.reduce(
    (sum, message) => sum + (message.role === 'tool' ? message.result.length : message.content.length),
    request.system.length,
  );
}
