import type { Scope } from '@cairn/contracts';
import { type Capability, excessOver } from '@cairn/identity';

/** A member on whose authority a credential exists. */
export interface Person {
  memberId: string;
  capability: Capability;
}

/** The caller that ends something: a key, a member or an OAuth client. */
export interface EndingCaller {
  id: string;
  capability: Capability;
  /** The keys it came of, up to the nearest members: parents, originals, and keys that requested a replacement. */
  ancestorIds: ReadonlySet<string>;
  /** Itself if it is a member, else the nearest members it came of; none where only the operator's keys are above it. */
  people: readonly Person[];
}

/** One credential that is to end, or to lose rights. */
export interface Target {
  id: string;
  /** A program's credential is an API key, an OAuth client or a connected app; a person's is a member or its session. */
  of: 'program' | 'person';
  /** The key, member or client that it belongs to: itself, or what a session or an app stands for. */
  holderId: string;
  capability: Capability;
  /** The nearest members it came of. */
  people: readonly Person[];
}

interface Ending {
  targets: readonly Target[];
  /** False when everything that came of a credential is to end with it. */
  alone: boolean;
  /** How many owners the tenant has afterwards; null when no owner is among the targets. */
  ownersLeft: number | null;
}

type EndingDecision =
  | { ok: true }
  | { ok: false; denial: 'lacks'; lacks: string[] }
  | { ok: false; denial: 'last_owner' };

/** What members hold who administer the credentials of everybody below owners. */
const ADMINISTERS: Scope = 'members:write';

/**
 * The one rule by which a credential ends others. Each target is judged by itself, and one that is not permitted
 * forbids the whole ending. A credential may always end what belongs to itself. Beyond that:
 *
 * - A person's credential is ended by what holds everything that the person holds.
 * - A program's credential is ended by whoever acts for nobody below an administrator, or for people who hold
 *   everything that the program's credential holds, and everything that the people behind it hold.
 * - Whatever is ended with all that came of it, or is an ancestor of the caller, must also be held by the caller itself.
 *   One leaked credential can therefore be revoked by automation that holds nothing but `keys:write`.
 * - At least one owner stays.
 */
export function judgeEnding(ender: EndingCaller, { targets, alone, ownersLeft }: Ending): EndingDecision {
  const lacks = new Set(targets.flatMap((target) => lackedFor(ender, target, alone)));
  if (lacks.size > 0) return { ok: false, denial: 'lacks', lacks: [...lacks] };
  return ownersLeft === 0 ? { ok: false, denial: 'last_owner' } : { ok: true };
}

function lackedFor(ender: EndingCaller, target: Target, alone: boolean): string[] {
  if (target.holderId === ender.id) return [];
  if (target.of === 'person') return excessOver(ender.capability, target.capability);
  const mustHold = !alone || ender.ancestorIds.has(target.holderId);
  return [
    ...(mustHold ? excessOver(ender.capability, target.capability) : []),
    ...ender.people.filter((person) => !administers(person)).flatMap((person) => lackedBy(person, target)),
  ];
}

function administers({ capability }: Person): boolean {
  return capability.scopes.includes(ADMINISTERS);
}

function lackedBy(person: Person, target: Target): string[] {
  const others = target.people.filter(({ memberId }) => memberId !== person.memberId);
  return [target, ...others].flatMap(({ capability }) => excessOver(person.capability, capability));
}
