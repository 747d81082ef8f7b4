/** A call as the server received it. */
export interface ModelCall {
  path: '/chat/completions' | '/embeddings' | '/rerank';
  /** The key it was made with, without `Bearer`. */
  apiKey: string;
  body: ModelCallBody;
  streamed: boolean;
  /** True once the client went away before the answer was whole. */
  aborted: boolean;
}

/** What of the protocol's requests a spec may look at. */
export interface ModelCallBody {
  model: string;
  messages?: { role: string; content?: string | null; tool_call_id?: string; tool_calls?: unknown[] }[];
  tools?: { function: { name: string; description?: string; parameters: unknown } }[];
  response_format?: { type: string; json_schema?: { schema: unknown } };
  input?: string | string[];
  query?: string;
  documents?: string[];
  stream?: boolean;
  max_tokens?: number;
}

export interface ReplyUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number };
  completion_tokens_details?: { reasoning_tokens?: number };
}

/** What the server does with one model call. */
export type ModelReply =
  /** Says the pieces, one event each when streamed, with a pause before each. `null` usage leaves it out. */
  | { kind: 'text'; pieces: readonly string[]; pieceDelayMs?: number; usage?: ReplyUsage | null; finish?: string }
  | { kind: 'tools'; calls: readonly { name: string; input: unknown }[]; text?: string; usage?: ReplyUsage }
  | { kind: 'refusal'; text: string }
  /** Says the pieces and then nothing more, the connection open. */
  | { kind: 'stalls'; pieces: readonly string[] }
  /** Says the pieces and then closes the connection in the middle. */
  | { kind: 'breaks'; pieces: readonly string[] }
  /** Says the pieces and then what is no event of the protocol. */
  | { kind: 'malformed'; pieces: readonly string[] }
  | { kind: 'status'; status: number; retryAfterSeconds?: number; message?: string };

/** A whole answer in one piece a word. */
export function textReply(text: string, more: Omit<Extract<ModelReply, { kind: 'text' }>, 'kind' | 'pieces'> = {}) {
  return { kind: 'text', pieces: text.match(/\S+\s*/g) ?? [], ...more } as const satisfies ModelReply;
}
