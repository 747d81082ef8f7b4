import { type EncodedEvent, encodeEvent } from '@cairn/contracts';
import { counter } from '@cairn/telemetry';
import type { LanguageModelUsage } from 'ai';
import type { Attribution, CallOptions, ModelUsage } from './models.ts';

const tokens = counter('cairn_model_tokens_total', 'Tokens that model calls were metered with.', [
  'provider',
  'model',
  'direction',
]);

/** Where usage events go that no caller takes into its own transaction. */
export type Meter = (event: EncodedEvent) => Promise<void>;

/** What a call is billed by. */
export interface Billing {
  provider: string;
  model: string;
  byok: boolean;
  meter: Meter;
}

const RAW_USAGE_MAX_BYTES = 4_096;
const USER_MAX_CHARS = 128;
const PURPOSE_MAX_CHARS = 64;
/** English prose has about four characters a token; only used where a provider says nothing. */
const CHARACTERS_PER_TOKEN = 4;

export function usageOf(usage: LanguageModelUsage, textIn: number, textOut: number): ModelUsage {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage;
  const estimated = inputTokens === undefined || outputTokens === undefined;
  const input = inputTokens ?? estimateTokens(textIn);
  const output = outputTokens ?? estimateTokens(textOut);
  return {
    inputTokens: input,
    outputTokens: estimated ? output : Math.max(output, totalOf(usage) - input),
    cachedInputTokens: inputTokenDetails?.cacheReadTokens ?? 0,
    cacheWriteTokens: inputTokenDetails?.cacheWriteTokens ?? 0,
    reasoningTokens: outputTokenDetails?.reasoningTokens ?? 0,
    estimated,
  };
}

/** Some providers count reasoning in the total alone (Gemini's compatible interface, xAI); it is output like any other. */
function totalOf({ raw }: LanguageModelUsage): number {
  const total = raw?.['total_tokens'];
  return typeof total === 'number' ? total : 0;
}

/** For calls that ended before the provider said what they used. */
export function estimatedUsage(charactersIn: number, charactersOut: number): ModelUsage {
  return {
    inputTokens: estimateTokens(charactersIn),
    outputTokens: estimateTokens(charactersOut),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    estimated: true,
  };
}

function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Hands the usage event of one call to its caller, or to the service's meter. */
export async function meterCall(
  billing: Billing,
  options: Pick<CallOptions, 'attribution' | 'purpose' | 'record'>,
  usage: ModelUsage,
  call: { streamed: boolean; raw?: unknown },
): Promise<void> {
  const { provider, model } = billing;
  tokens.inc({ provider, model, direction: 'input' }, usage.inputTokens);
  tokens.inc({ provider, model, direction: 'output' }, usage.outputTokens);
  const event = usageEvent(billing, options.attribution, options.purpose, usage, call);
  await (options.record ?? billing.meter)(event);
}

function usageEvent(
  billing: Billing,
  who: Attribution,
  purpose: string,
  usage: ModelUsage,
  call: { streamed: boolean; raw?: unknown },
): EncodedEvent {
  const raw = JSON.stringify(usage.estimated ? { estimated: true } : (call.raw ?? {}));
  // The event's scope is the tenant alone: deleting a memory does not take away what was used.
  return encodeEvent(
    'llmUsage',
    { tenantId: who.tenantId, livemode: who.livemode },
    {
      workspaceId: who.workspaceId ?? '',
      memoryId: who.memoryId ?? '',
      spaceId: who.spaceId ?? '',
      conversationId: who.conversationId ?? '',
      user: (who.user ?? '').slice(0, USER_MAX_CHARS),
      apiKeyId: who.apiKeyId ?? '',
      runId: who.runId ?? '',
      provider: billing.provider,
      model: billing.model,
      byok: billing.byok,
      inputTokens: BigInt(usage.inputTokens),
      outputTokens: BigInt(usage.outputTokens),
      cachedInputTokens: BigInt(usage.cachedInputTokens),
      cacheWriteTokens: BigInt(usage.cacheWriteTokens),
      reasoningTokens: BigInt(usage.reasoningTokens),
      purpose: purpose.slice(0, PURPOSE_MAX_CHARS),
      streamed: call.streamed,
      rawUsage: Buffer.byteLength(raw) <= RAW_USAGE_MAX_BYTES ? raw : '',
    },
  );
}
