import { type App, APP_ACTIONS, type AppAction, KEY_TYPES, type KeyType, type Scope } from '@cairn/contracts';
import fc from 'fast-check';

/** Scopes that a sequence plays with; those that create credentials come first. */
export const PLAYED_SCOPES = [
  'keys:write',
  'oauth:write',
  'memory:search',
  'documents:write',
  'webhooks:write',
] as const satisfies Scope[];
/** One that gets to the keys service, and one that does not. */
export const PLAYED_APPS = ['keys', 'memory'] as const satisfies App[];
const RANGES = ['10.0.0.0/8', '10.9.9.9/32', '10.9.0.0/16', '0.0.0.0/0', '11.0.0.0/8', '::/0', '::ffff:10.9.0.0/112'];

/** What a key is to be restricted to; a field that is left out is not asked for. */
export interface Restrictions {
  scopes?: Scope[] | undefined;
  app_permissions?: Partial<Record<App, AppAction[]>> | undefined;
  ip_allowlist?: string[] | undefined;
  endsInHours?: number | null | undefined;
  rate_limit?: { requests_per_second: number; burst: number } | null | undefined;
}

export interface NewKey extends Restrictions {
  type: KeyType;
  /** For memory keys: one of two memories, as a whole or one of its spaces. */
  memory: 0 | 1;
  inSpace: boolean;
}

/** What the holder of some credentials tries next. Numbers choose among those that there are, round and round. */
export type Step =
  | { do: 'mint'; actor: number; key: NewKey }
  | { do: 'change'; actor: number; target: number; change: Restrictions }
  | { do: 'rotate'; actor: number; target: number }
  | { do: 'client'; actor: number; scopes: Scope[] }
  | { do: 'token'; client: number; scopes: Scope[] }
  | { do: 'reach'; actor: number; memory: 0 | 1 | null; space: 'named' | 'root' | 'unsaid'; onHost: boolean }
  | { do: 'wait'; hours: number };

export interface Sequence {
  /** What the holder has at first: one key, or two. */
  held: NewKey[];
  /** Other keys of the tenant, which it can name and does not have. */
  others: NewKey[];
  steps: Step[];
}

const scopes = fc
  .subarray([...PLAYED_SCOPES])
  .map((some): Scope[] => some)
  .filter((some) => some.length > 0);
const apps = fc
  .dictionary(fc.constantFrom(...PLAYED_APPS), fc.subarray([...APP_ACTIONS], { minLength: 1 }), {
    minKeys: 1,
    maxKeys: 2,
  })
  .map((made) => ({ ...made }) as Partial<Record<App, AppAction[]>>);
const ranges: fc.Arbitrary<string[]> = fc.subarray(RANGES, { maxLength: 2 });
const noRanges: fc.Arbitrary<string[]> = fc.constant([]);
const hours = fc.constantFrom(1, 3, 20, 40);
const rate = fc.record({ requests_per_second: fc.constantFrom(1, 5), burst: fc.constantFrom(1, 5) });
const index = fc.nat(7);
const memory = fc.constantFrom<0 | 1>(0, 1);

/** Half of the time nothing: the sequences that matter have few restrictions on each key, and different ones. */
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2, nil: undefined });
const newKey: fc.Arbitrary<NewKey> = fc.record({
  type: fc.constantFrom<KeyType>(...KEY_TYPES, 'live', 'live', 'live'),
  memory,
  inSpace: fc.boolean(),
  scopes: sometimes(scopes),
  app_permissions: sometimes(fc.oneof(fc.constant({}), apps)),
  ip_allowlist: sometimes(ranges),
  endsInHours: sometimes(hours),
  rate_limit: sometimes(rate),
});
const change: fc.Arbitrary<Restrictions> = fc.record({
  scopes: sometimes(scopes),
  app_permissions: sometimes(fc.oneof(fc.constant({}), apps)),
  ip_allowlist: sometimes(fc.oneof(noRanges, ranges)),
  endsInHours: sometimes(fc.oneof(fc.constant(null), hours)),
  rate_limit: sometimes(fc.oneof(fc.constant(null), rate)),
});
/** It can do something with what it holds, or there would be nothing to see. */
const capableKey = newKey.map((key): NewKey => {
  const held = key.scopes === undefined ? undefined : [...new Set<Scope>(['keys:write', 'oauth:write', ...key.scopes])];
  return key.type === 'memory' ? { ...key, scopes: undefined } : { ...key, scopes: held };
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mint' as const), actor: index, key: newKey }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change' as const), actor: index, target: index, change }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rotate' as const), actor: index, target: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('client' as const), actor: index, scopes }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('token' as const), client: index, scopes }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('reach' as const),
      actor: index,
      memory: fc.option(memory),
      space: fc.constantFrom('named' as const, 'root' as const, 'unsaid' as const),
      onHost: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(2, 10, 30) }) },
);

export const sequences = (stepsMax: number): fc.Arbitrary<Sequence> =>
  fc.record({
    held: fc.array(capableKey, { minLength: 1, maxLength: 2 }),
    others: fc.array(newKey, { maxLength: 2 }),
    steps: fc.array(step, { minLength: 1, maxLength: stepsMax }),
  });
