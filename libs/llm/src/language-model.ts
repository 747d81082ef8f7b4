import { generateText, streamText } from 'ai';
import { boundCall } from './bounded-call.ts';
import { generateObject } from './generate-object.ts';
import { CALL_TIMEOUT_MS, charactersOf, failed, type LanguageModelOptions, settingsOf } from './language-call.ts';
import { estimatedUsage, meterCall, usageOf } from './metering.ts';
import { ModelFailure } from './model-failure.ts';
import { observeCall, observeStream } from './observe-call.ts';
import type { GeneratedText, LanguageModelPort, LanguageRequest, ModelUsage } from './models.ts';

/** Longest wait for the next piece of a stream, the first included. */
const STALL_TIMEOUT_MS = 15_000;

/** A language model behind the AI SDK, bounded in time and metered. */
export function createLanguageModel(options: LanguageModelOptions): LanguageModelPort {
  const { name } = options;
  const called = { ...options.called, kind: 'language' } as const;
  return {
    name,
    generate: (request) => observeCall(called, () => generate(options, request)),
    generateObject: (request, schema) => observeCall(called, () => generateObject(options, request, schema)),
    stream: (request) => observeStream(called, streamOf(options, request)),
  };
}

async function generate(options: LanguageModelOptions, request: LanguageRequest): Promise<GeneratedText> {
  const call = boundCall(request.signal, request.callTimeoutMs ?? CALL_TIMEOUT_MS);
  const { model, billing } = options.begin();
  try {
    const result = await generateText({ ...settingsOf(options, model, request), abortSignal: call.signal });
    const usage = usageOf(result.usage, charactersOf(request), result.text.length);
    await meterCall(billing(), request, usage, { streamed: false, raw: result.usage.raw });
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

async function* streamOf(options: LanguageModelOptions, request: LanguageRequest): AsyncGenerator<string> {
  const call = boundCall(
    request.signal,
    request.callTimeoutMs ?? CALL_TIMEOUT_MS,
    options.stallTimeoutMs ?? STALL_TIMEOUT_MS,
  );
  const { model, billing } = options.begin();
  let charactersOut = 0;
  let usage: ModelUsage | null = null;
  let raw: unknown;
  let sent = false;
  try {
    const result = streamText({
      ...settingsOf(options, model, { retries: 0, ...request }),
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
    if (sent && usage !== null) await meterCall(billing(), request, usage, { streamed: true, raw });
  }
}
