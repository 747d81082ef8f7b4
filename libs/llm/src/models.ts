import type { EncodedEvent } from '@cairn/contracts';
import type { z } from 'zod';

/** Whom a call is for: every usage event carries all of it. */
export interface Attribution {
  tenantId: string;
  livemode: boolean;
  workspaceId?: string;
  memoryId?: string;
  spaceId?: string;
  /** Thread of a conversation. */
  conversationId?: string;
  /** At most 128 characters, as the caller named the user. */
  user?: string;
  apiKeyId?: string;
  /** The run whose charge covers the call. */
  runId?: string;
}

export interface ToolCall {
  id: string;
  name: string;
  /** As the model wrote them: parsed JSON, not yet validated by the tool. */
  input: unknown;
}

export type ChatMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: readonly ToolCall[] }
  | { role: 'tool'; toolCallId: string; toolName: string; result: string };

/** A tool the model may ask for. Nobody runs it here: the caller does, and comes back with its result as a message. */
export interface ToolDefinition {
  name: string;
  description: string;
  input: z.ZodType;
}

/** What every call says. */
export interface CallOptions {
  attribution: Attribution;
  /** What the call is for, e.g. `answer`; at most 64 characters. */
  purpose: string;
  signal: AbortSignal;
  /** Longest the whole call may take, retries included. */
  callTimeoutMs?: number;
  /** Repeats after a failure that may pass; default 0 for streams, 2 otherwise. */
  retries?: number;
  /**
   * Takes the usage event, so that it is written in the transaction that keeps the call's result; called also when
   * the call fails after tokens were used. Left out, the event goes to the service's own meter.
   */
  record?: (event: EncodedEvent) => void | Promise<void>;
}

export interface LanguageRequest extends CallOptions {
  system: string;
  messages: readonly ChatMessage[];
  tools?: readonly ToolDefinition[];
  outputMaxTokens?: number;
  temperature?: number;
}

/** Tokens of one call, as the usage event counts them. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  /** The provider did not say; the counts are estimated from the characters. */
  estimated: boolean;
}

export interface GeneratedText {
  text: string;
  toolCalls: ToolCall[];
  /** `stop`, `length`, `content-filter` (a refusal), `tool-calls`, `error` or `other`. */
  finishReason: string;
  usage: ModelUsage;
}

/**
 * One language model for one tenant, each call under the key that holds when it begins. Failures are `ModelFailure`;
 * when nobody can say whose key that is, `unavailable`.
 */
export interface LanguageModelPort {
  readonly name: string;
  generate(request: LanguageRequest): Promise<GeneratedText>;
  /** A value of the schema; anything else is `malformed`. */
  generateObject<T>(request: LanguageRequest, schema: z.ZodType<T>): Promise<{ object: T; usage: ModelUsage }>;
  /** The answer's text as it comes; reads no faster than it is taken. Ending the iteration early stops the call. */
  stream(request: LanguageRequest): AsyncIterable<string>;
}

/** Returns vectors of `dimensions` numbers, of length 1, in the order of the texts. */
export interface EmbeddingPort {
  /** Provider and model: vectors of different names are not comparable. */
  readonly name: string;
  readonly dimensions: number;
  /** Whether it was the tenant's own key when the model was asked for. */
  readonly byok: boolean;
  embed(texts: readonly string[], options: CallOptions): Promise<Float32Array[]>;
}

/** Rates how well texts answer a question. */
export interface RerankPort {
  readonly name: string;
  /** Whether it was the tenant's own key when the model was asked for. */
  readonly byok: boolean;
  /** A number for each text, higher is better. */
  rerank(query: string, texts: readonly string[], options: CallOptions): Promise<number[]>;
}

/** The models an installation offers. Each is null for whom there is none: without configuration, for everybody. */
export interface Models {
  /** What callers may say in `llm_model`; the first is the default. */
  readonly names: readonly string[];
  /** A name that is not in the list is a `validation_failed` with the list. */
  language(who: Attribution, name?: string): Promise<LanguageModelPort | null>;
  embedding(who: Attribution): Promise<EmbeddingPort | null>;
  reranker(who: Attribution): Promise<RerankPort | null>;
}

/** The default of an installation without providers: no model for anybody. */
export const OFFLINE_MODELS: Models = {
  names: [],
  language: () => Promise.resolve(null),
  embedding: () => Promise.resolve(null),
  reranker: () => Promise.resolve(null),
};
