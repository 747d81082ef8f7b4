import { PROMPT_MAX_CHARS } from '@cairn/contracts';
import { z } from 'zod';

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), last_seq: z.number().int().min(0).default(0) }),
  z.object({
    type: z.literal('clarification.answer'),
    question_id: z.string().min(1).max(128),
    answer: z.string().trim().min(1).max(PROMPT_MAX_CHARS),
  }),
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('ping') }),
]);

/** Messages that a client may send over a run's WebSocket. */
export type ClientMessage = z.output<typeof Message>;

/** The parsed message, or an error code. */
export function readClientMessage(text: string): ClientMessage | { error: 'malformed_json' | 'validation_failed' } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { error: 'malformed_json' };
  }
  const parsed = Message.safeParse(json);
  return parsed.success ? parsed.data : { error: 'validation_failed' };
}
