import { encodeEvent, type EncodedEvent, newId } from '@cairn/contracts';
import { PRICES } from './prices.ts';

/** One model call, with the event that says so. */
export interface MadeCall {
  event: EncodedEvent;
  tenantId: string;
  livemode: boolean;
  at: Date;
  ids: Record<'workspace' | 'memory' | 'space' | 'conversation' | 'user' | 'api_key', string>;
  model: string;
  byok: boolean;
  runId: string;
  input: number;
  output: number;
  cached: number;
  cacheWrite: number;
  reasoning: number;
}

interface World {
  tenants: { tenantId: string; livemode: boolean }[];
  models: string[];
  from: Date;
  to: Date;
  /** 1: tenants and models are called evenly; the higher, the more the first of them make most of the calls. */
  skew?: number;
}

const TENANTS = 5;
const MIDNIGHT = Date.parse(PRICES.versions[1]!.effective_from);

/** Five tenants, one of them a test tenant, with calls around a change of price and of the month. */
export function smallWorld(): World {
  return {
    tenants: Array.from({ length: TENANTS }, (_, n) => ({ tenantId: newId('tenant'), livemode: n > 0 })),
    models: ['plain', 'small', 'free', 'long', 'nobody-priced-this'],
    from: new Date(MIDNIGHT - 12 * 86_400_000),
    to: new Date(MIDNIGHT + 20 * 86_400_000),
  };
}

/** A call somewhere in the world; every dimension but the tenant may be missing. */
export function randomCall(random: () => number, world: World): MadeCall {
  const below = (n: number) => Math.floor(random() * n);
  const oneOf = <T>(items: readonly T[]): T => items[Math.floor(random() ** (world.skew ?? 1) * items.length)]!;
  const maybe = (prefix: string, n: number, missing: number) => (random() < missing ? '' : `${prefix}_${below(n)}`);
  const tenant = oneOf(world.tenants);
  const input = below(5_000);
  const output = below(2_000);
  const cached = random() < 0.5 ? 0 : below(input + 1);
  const made = {
    ...tenant,
    at: timeIn(random, world),
    ids: {
      workspace: maybe('ws', 3, 0.05),
      memory: maybe('mem', 6, 0.2),
      space: maybe('spc', 8, 0.4),
      conversation: maybe('thr', 40, 0.5),
      user: maybe('user', 15, 0.3),
      api_key: maybe('key', 5, 0.1),
    },
    model: oneOf(world.models),
    byok: random() < 0.2,
    runId: maybe('run', 9, 0.85),
    input,
    output,
    cached,
    cacheWrite: random() < 0.7 ? 0 : below(input - cached + 1),
    reasoning: random() < 0.5 ? 0 : below(output + 1),
  };
  return { ...made, event: eventOf(made) };
}

/** Often within a millisecond of a midnight, where days and prices change. */
function timeIn(random: () => number, { from, to }: World): Date {
  const any = from.getTime() + Math.floor(random() * (to.getTime() - from.getTime()));
  if (random() < 0.8) return new Date(any);
  const midnight = Math.round(any / 86_400_000) * 86_400_000;
  return new Date(midnight + (random() < 0.5 ? -1 : 0));
}

function eventOf(call: Omit<MadeCall, 'event'>): EncodedEvent {
  const { ids } = call;
  return encodeEvent(
    'llmUsage',
    { tenantId: call.tenantId, livemode: call.livemode },
    {
      workspaceId: ids.workspace,
      memoryId: ids.memory,
      spaceId: ids.space,
      conversationId: ids.conversation,
      user: ids.user,
      apiKeyId: ids.api_key,
      provider: 'acme',
      model: call.model,
      byok: call.byok,
      inputTokens: BigInt(call.input),
      outputTokens: BigInt(call.output),
      cachedInputTokens: BigInt(call.cached),
      cacheWriteTokens: BigInt(call.cacheWrite),
      reasoningTokens: BigInt(call.reasoning),
      runId: call.runId,
    },
    call.at,
  );
}

/** The items in a random order. */
export function shuffled<T>(random: () => number, items: readonly T[]): T[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}
