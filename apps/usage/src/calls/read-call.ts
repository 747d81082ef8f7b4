import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type Event, idTime, type LlmUsage } from '@cairn/contracts';
import { optionalText, requiredText, UnusableEvent } from '../event-text.ts';
import { monthOf } from '../months/month.ts';
import type { LlmCall } from '../stores/call-store.ts';

/** How much of an invalid id an error shows. */
const SHOWN_CHARS = 256;
const RAW_USAGE_MAX_BYTES = 4_096;
/** Far above what any model reads or writes in one call, and small enough that no sum overflows. */
const TOKENS_MAX = 1_000_000_000n;
const EARLIEST_MS = Date.UTC(2020, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/** Decodes and validates an event; throws UnusableEvent for impossible values. */
export function readCall(event: Event): LlmCall {
  if (event.payload.case !== 'llmUsage') throw new UnusableEvent('the event is not a usage of a model');
  const usage = event.payload.value;
  const minted = idTime('event', event.eventId);
  if (minted === null) throw new UnusableEvent(`${event.eventId.slice(0, SHOWN_CHARS)} is not an event id`);
  if (event.occurredAt === undefined) throw new UnusableEvent('occurred_at is missing');
  return {
    tenant_id: requiredText('tenant_id', event.tenantId),
    event_id: event.eventId,
    minted_on: inRange('event_id', minted).toISOString().slice(0, 10),
    occurred_at: inRange('occurred_at', timestampDate(event.occurredAt)),
    livemode: event.livemode,
    ...attribution(usage),
    provider: requiredText('provider', usage.provider),
    model: requiredText('model', usage.model),
    byok: usage.byok,
    ...tokensOf(usage),
    run_id: optionalText('run_id', usage.runId),
    purpose: optionalText('purpose', usage.purpose),
    streamed: usage.streamed,
    // A longer one is dropped: it is informative only.
    raw_usage:
      Buffer.byteLength(usage.rawUsage) > RAW_USAGE_MAX_BYTES ? null : optionalText('raw_usage', usage.rawUsage, true),
  };
}

function attribution(usage: LlmUsage) {
  return {
    workspace_id: optionalText('workspace_id', usage.workspaceId),
    memory_id: optionalText('memory_id', usage.memoryId),
    space_id: optionalText('space_id', usage.spaceId),
    conversation_id: optionalText('conversation_id', usage.conversationId),
    user_id: optionalText('user', usage.user),
    api_key_id: optionalText('api_key_id', usage.apiKeyId),
  };
}

function tokensOf(usage: LlmUsage) {
  const tokens = {
    input_tokens: count('input_tokens', usage.inputTokens),
    output_tokens: count('output_tokens', usage.outputTokens),
    cached_input_tokens: count('cached_input_tokens', usage.cachedInputTokens),
    cache_write_tokens: count('cache_write_tokens', usage.cacheWriteTokens),
    reasoning_tokens: count('reasoning_tokens', usage.reasoningTokens),
  };
  // A part larger than its total was counted beside it; a dead letter would lose the usage.
  const cached = tokens.cached_input_tokens + tokens.cache_write_tokens;
  if (cached > tokens.input_tokens) tokens.input_tokens += cached;
  if (tokens.reasoning_tokens > tokens.output_tokens) tokens.output_tokens += tokens.reasoning_tokens;
  return tokens;
}

function count(field: string, tokens: bigint): number {
  if (tokens > TOKENS_MAX) throw new UnusableEvent(`${field} exceeds what a call can have`);
  return Number(tokens);
}

function inRange(field: string, at: Date): Date {
  if (!(at.getTime() >= EARLIEST_MS && at.getTime() < LATEST_MS)) throw new UnusableEvent(`${field} is out of range`);
  return at;
}

/** The months of the partitions that the call's rows belong to. */
export function monthsOf(call: LlmCall): string[] {
  return [monthOf(call.minted_on), monthOf(call.occurred_at.toISOString())];
}
