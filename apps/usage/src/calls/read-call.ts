import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type Event, idTime, type LlmUsage } from '@cairn/contracts';
import { monthOf } from './months.ts';

/** One call of a model as the event says it, checked. Ids are null where the call was for none. */
export interface LlmCall {
  tenant_id: string;
  event_id: string;
  /** YYYY-MM-DD. */
  minted_on: string;
  occurred_at: Date;
  livemode: boolean;
  workspace_id: string | null;
  memory_id: string | null;
  space_id: string | null;
  conversation_id: string | null;
  user_id: string | null;
  api_key_id: string | null;
  provider: string;
  model: string;
  byok: boolean;
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens: number;
  cache_write_tokens: number;
  reasoning_tokens: number;
  run_id: string | null;
  purpose: string | null;
  streamed: boolean;
  raw_usage: string | null;
}

/** An event that is no usage; it goes to the dead letters. */
export class UnusableEvent extends Error {
  override readonly name = 'UnusableEvent';
}

const ID_MAX_CHARS = 256;
const RAW_USAGE_MAX_BYTES = 4_096;
/** Far above what any model reads or writes in one call, and small enough that no sum overflows. */
const TOKENS_MAX = 1_000_000_000n;
const EARLIEST_MS = Date.UTC(2020, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/** Reads an event; throws UnusableEvent when it says what cannot be. */
export function readCall(event: Event): LlmCall {
  if (event.payload.case !== 'llmUsage') throw new UnusableEvent('the event is no usage of a model');
  const usage = event.payload.value;
  const minted = idTime('event', event.eventId);
  if (minted === null) throw new UnusableEvent(`${event.eventId.slice(0, ID_MAX_CHARS)} is no id of an event`);
  if (event.occurredAt === undefined) throw new UnusableEvent('occurred_at is missing');
  return {
    tenant_id: required('tenant_id', event.tenantId),
    event_id: event.eventId,
    minted_on: inRange('event_id', minted).toISOString().slice(0, 10),
    occurred_at: inRange('occurred_at', timestampDate(event.occurredAt)),
    livemode: event.livemode,
    ...attribution(usage),
    provider: required('provider', usage.provider),
    model: required('model', usage.model),
    byok: usage.byok,
    ...tokensOf(usage),
    run_id: text('run_id', usage.runId),
    purpose: text('purpose', usage.purpose),
    streamed: usage.streamed,
    // What is longer is left out: the counts above are what counts.
    raw_usage: Buffer.byteLength(usage.rawUsage) > RAW_USAGE_MAX_BYTES ? null : text('raw_usage', usage.rawUsage, true),
  };
}

function attribution(usage: LlmUsage) {
  return {
    workspace_id: text('workspace_id', usage.workspaceId),
    memory_id: text('memory_id', usage.memoryId),
    space_id: text('space_id', usage.spaceId),
    conversation_id: text('conversation_id', usage.conversationId),
    user_id: text('user', usage.user),
    api_key_id: text('api_key_id', usage.apiKeyId),
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
  // A part that is larger than its sum was counted beside it; a dead letter would lose what was used.
  const cached = tokens.cached_input_tokens + tokens.cache_write_tokens;
  if (cached > tokens.input_tokens) tokens.input_tokens += cached;
  if (tokens.reasoning_tokens > tokens.output_tokens) tokens.output_tokens += tokens.reasoning_tokens;
  return tokens;
}

function count(field: string, tokens: bigint): number {
  if (tokens > TOKENS_MAX) throw new UnusableEvent(`${field} is more than any call has`);
  return Number(tokens);
}

function required(field: string, value: string): string {
  const found = text(field, value);
  if (found === null) throw new UnusableEvent(`${field} is missing`);
  return found;
}

function text(field: string, value: string, long = false): string | null {
  if (!long && value.length > ID_MAX_CHARS) throw new UnusableEvent(`${field} is too long`);
  if (value.includes('\0')) throw new UnusableEvent(`${field} contains a NUL character`);
  return value === '' ? null : value;
}

function inRange(field: string, at: Date): Date {
  if (!(at.getTime() >= EARLIEST_MS && at.getTime() < LATEST_MS))
    throw new UnusableEvent(`${field} is a time that cannot be`);
  return at;
}

/** The months whose partitions the call's rows lie in. */
export function monthsOf(call: LlmCall): string[] {
  return [monthOf(call.minted_on), monthOf(call.occurred_at.toISOString())];
}
