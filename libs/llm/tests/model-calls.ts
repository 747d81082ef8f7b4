import { decodeEvent, type EncodedEvent, type LlmUsage } from '@cairn/contracts';
import { type LanguageRequest, ModelFailure } from '../src/index.ts';

export const who = { tenantId: 'tnt_1', livemode: true, memoryId: 'mem_1', apiKeyId: 'key_1', user: 'ann' };

/** A question for a language model, which other models take the options of. */
export function asking(more: Partial<LanguageRequest> = {}): LanguageRequest {
  return {
    attribution: who,
    purpose: 'answer',
    signal: new AbortController().signal,
    system: 'Answer.',
    messages: [{ role: 'user', content: 'What is the ferry called?' }],
    retries: 0,
    ...more,
  };
}

export const usageOf = (event: EncodedEvent) => decodeEvent(event.payload).payload.value as LlmUsage;
export const failureOf = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof ModelFailure ? error.reason : error;
};
export async function read(stream: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of stream) text += piece;
  return text;
}
