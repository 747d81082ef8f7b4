import { ROLES, type Role, type Scope } from '@cairn/contracts';
import fc from 'fast-check';

/** What narrow keys hold some of: rights over credentials, over people, and one of no consequence. */
const PLAYED_SCOPES = ['keys:write', 'oauth:write', 'members:write', 'memory:search'] as const satisfies Scope[];

/** Numbers choose among the credentials that there are, round and round; an actor that has ended does nothing. */
export type Step =
  | { do: 'mint'; actor: number; scopes: Scope[] | null; ephemeral: boolean }
  | { do: 'invite'; actor: number; role: Role }
  | { do: 'change role'; actor: number; target: number; role: Role }
  | { do: 'restrict'; actor: number; target: number; scopes: Scope[] }
  | { do: 'rotate'; actor: number; target: number }
  | { do: 'create client'; actor: number }
  | { do: 'open session'; actor: number }
  | { do: 'connect app'; actor: number }
  | { do: 'revoke'; actor: number; target: number; descendants: boolean }
  | { do: 'remove'; actor: number; target: number; descendants: boolean }
  | { do: 'end client' | 'end session' | 'disconnect app'; actor: number; target: number };

const index = fc.nat(11);
const scopes = fc
  .subarray([...PLAYED_SCOPES], { minLength: 1 })
  .map((some): Scope[] => some.toSorted((a, b) => a.localeCompare(b)));
const role = fc.constantFrom(...ROLES, 'owner' as const, 'developer' as const);
const actor = index;
const target = index;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('mint' as const),
      actor,
      scopes: fc.option(scopes, { freq: 2 }),
      ephemeral: fc.nat(5).map((number) => number === 0),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('invite' as const), actor, role }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('change role' as const), actor, target, role }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restrict' as const), actor, target, scopes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rotate' as const), actor, target }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('create client' as const, 'open session' as const, 'connect app' as const),
      actor,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('revoke' as const, 'remove' as const),
      actor,
      target,
      descendants: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('end client' as const, 'end session' as const, 'disconnect app' as const),
      actor,
      target,
    }),
  },
);

/** A tenant with its first key, an owner and a developer, and what is done in it. */
export const sequences = (stepsMax: number): fc.Arbitrary<Step[]> =>
  fc.array(step, { minLength: 1, maxLength: stepsMax });
