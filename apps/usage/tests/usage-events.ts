import { encodeEvent, type EncodedEvent } from '@cairn/contracts';

type UsagePayload = Parameters<typeof encodeEvent<'llmUsage'>>[2];

interface CallMade {
  tenantId: string;
  livemode?: boolean;
  at?: Date;
  usage?: UsagePayload;
}

/** The event of one model call: 1,000 tokens in and 100 out of `acme/plain`, unless told otherwise. */
export function usageEvent({ tenantId, livemode = true, at = new Date(), usage = {} }: CallMade): EncodedEvent {
  const payload = { provider: 'acme', model: 'plain', inputTokens: 1_000n, outputTokens: 100n, ...usage };
  return encodeEvent('llmUsage', { tenantId, livemode }, payload as UsagePayload, at);
}
