import { generateText, NoObjectGeneratedError, Output } from 'ai';
import { z } from 'zod';
import { type BoundedCall, boundCall } from './bounded-call.ts';
import { CALL_TIMEOUT_MS, charactersOf, failed, type LanguageModelOptions, settingsOf } from './language-call.ts';
import { meterCall, usageOf } from './metering.ts';
import type { LanguageRequest, ModelUsage } from './models.ts';
import { joinCutText, readObject, readWholeObject, schemaMismatch } from './read-object.ts';

/** The most of an unusable answer that is shown to the model again. */
const SHOWN_MAX_CHARS = 40_000;

interface Answered<T> {
  /** Null when the answer does not fit the schema as it is. */
  object: T | null;
  text: string;
  finishReason: string | undefined;
  usage: ModelUsage;
  /** Why there is no object. */
  error: unknown;
}

/**
 * A value of a schema. An answer that was cut off at the output limit is continued once, and one that cannot be read is
 * asked for once more, with the reason; both within the time of one call. Each call is metered.
 */
export async function generateObject<T>(
  options: LanguageModelOptions,
  request: LanguageRequest,
  schema: z.ZodType<T>,
): Promise<{ object: T; usage: ModelUsage }> {
  const call = boundCall(request.signal, request.callTimeoutMs ?? CALL_TIMEOUT_MS);
  try {
    const asked = options.structuredOutputs ? request : withSchemaInWords(request, schema);
    const first = await ask(options, asked, schema, call);
    if (first.object !== null) return { object: first.object, usage: first.usage };
    const isCut = first.finishReason === 'length';
    const readable = request.signal.aborted ? null : readObject(first.text, schema);
    if (readable !== null && !isCut) return { object: readable, usage: first.usage };
    if (first.finishReason === 'content-filter' || request.signal.aborted) throw first.error;
    const order = isCut ? CONTINUE : `${AGAIN} What is wrong with it: ${schemaMismatch(first.text, schema)}`;
    const second = await ask(options, following(asked, first.text, order), schema, call).catch((error: unknown) => {
      if (request.signal.aborted) throw error;
      return null;
    });
    const object = second?.object ?? readSecond(first, second, schema, isCut) ?? readable;
    if (object === null) throw second?.error ?? first.error;
    return { object, usage: sumOf(first.usage, second?.usage) };
  } catch (error) {
    throw failed(error, request, call);
  } finally {
    call.end();
  }
}

const CONTINUE =
  'Your answer was cut off at the output limit. Continue it exactly where it ended, and repeat nothing of it.';
const AGAIN = 'This answer cannot be used. Answer again with one JSON object that fits the schema, and nothing else.';

async function ask<T>(
  options: LanguageModelOptions,
  request: LanguageRequest,
  schema: z.ZodType<T>,
  call: BoundedCall,
): Promise<Answered<T>> {
  const { model, billing } = options.begin();
  const settings = {
    ...settingsOf(options, model, request),
    abortSignal: call.signal,
    output: Output.object({ schema }),
  };
  try {
    const result = await generateText(settings);
    const usage = usageOf(result.usage, charactersOf(request), result.text.length);
    await meterCall(billing(), request, usage, { streamed: false, raw: result.usage.raw });
    const { text, finishReason } = result;
    // Reading it fails when it does not fit.
    return { object: result.output as T, text, finishReason, usage, error: null };
  } catch (error) {
    if (!NoObjectGeneratedError.isInstance(error) || error.usage === undefined) throw error;
    // An answer that does not fit the schema has cost as much.
    const text = error.text ?? '';
    const usage = usageOf(error.usage, charactersOf(request), text.length);
    await meterCall(billing(), request, usage, { streamed: false, raw: error.usage.raw });
    return { object: null, text, finishReason: error.finishReason, usage, error };
  }
}

/** Two halves count only when they are one whole object: nothing is guessed at the seam. */
function readSecond<T>(first: Answered<T>, second: Answered<T> | null, schema: z.ZodType<T>, isCut: boolean): T | null {
  if (second === null) return null;
  return isCut ? readWholeObject(joinCutText(first.text, second.text), schema) : readObject(second.text, schema);
}

function following(request: LanguageRequest, said: string, order: string): LanguageRequest {
  const answer = said === '' ? [] : [{ role: 'assistant' as const, content: said.slice(-SHOWN_MAX_CHARS) }];
  return { ...request, messages: [...request.messages, ...answer, { role: 'user', content: order }] };
}

function withSchemaInWords(request: LanguageRequest, schema: z.ZodType): LanguageRequest {
  const words = `Answer with one JSON object and nothing else. Its JSON schema: ${JSON.stringify(z.toJSONSchema(schema))}`;
  return { ...request, system: `${request.system}\n\n${words}` };
}

function sumOf(first: ModelUsage, second: ModelUsage | undefined): ModelUsage {
  if (second === undefined) return first;
  return {
    inputTokens: first.inputTokens + second.inputTokens,
    outputTokens: first.outputTokens + second.outputTokens,
    cachedInputTokens: first.cachedInputTokens + second.cachedInputTokens,
    cacheWriteTokens: first.cacheWriteTokens + second.cacheWriteTokens,
    reasoningTokens: first.reasoningTokens + second.reasoningTokens,
    estimated: first.estimated || second.estimated,
  };
}
