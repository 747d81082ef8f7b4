import type { Role, Scope } from '@cairn/contracts';

/** A credential as the oracle knows it: kept by its own account of what came of what, and from nothing that is shipped. */
export interface Thing {
  id: string;
  sort: 'key' | 'member' | 'client' | 'session' | 'app';
  /** Itself, or the key or member that a session or an app stands for. */
  holder: Thing;
  /** These two change with restrictions and roles. */
  scopes: readonly Scope[];
  role: Role | null;
  /** It ends within the day, so it holds nothing that lasts longer. */
  isBrief: boolean;
  /** What is minted below it ends with it. */
  isEphemeral: boolean;
  /** OAuth clients and apps create no credentials. */
  isLeaf: boolean;
  /** Everything it came of, at any distance. */
  cameOf: ReadonlySet<Thing>;
  /** The keys among these, up to the nearest members. */
  ancestors: ReadonlySet<Thing>;
  /** The nearest members; of a member itself. */
  people: ReadonlySet<Thing>;
  /** The key that minted it, or the one whose place it took. */
  mintedBelow: Thing | null;
  ended: boolean;
}

function holds(one: Thing, other: Thing): boolean {
  return (
    other.scopes.every((scope) => one.scopes.includes(scope)) &&
    (!one.isBrief || other.isBrief) &&
    (!one.isLeaf || other.isLeaf)
  );
}

/** Why the actor may not end the thing; null when it may. */
export function complaint(actor: Thing, thing: Thing, withOthers: boolean): string | null {
  const say = (what: string) => `${actor.id} ended ${thing.id} ${what}`;
  if (thing.holder === actor) return null;
  const held = thing.sort === 'session' ? thing.holder : thing;
  if (held.sort === 'member') return holds(actor, held) ? null : say('of a person who holds more');
  for (const person of actor.people) {
    if (person.scopes.includes('members:write')) continue;
    if (!holds(person, held)) return say(`though ${person.id} behind it holds less`);
    for (const other of held.people)
      if (!holds(person, other)) return say(`that came of ${other.id}, who holds more than ${person.id}`);
  }
  if (withOthers && !holds(actor, held)) return say('with all that came of it, and holds less');
  if (actor.ancestors.has(thing.holder) && !holds(actor, held)) return say('that it came of, and holds less');
  return null;
}

/** What an ending of the thing may drag along. */
export function dragged(thing: Thing, all: readonly Thing[], descendants: boolean): Set<Thing> {
  const isBelow = (each: Thing): boolean => each === thing || (each.mintedBelow !== null && isBelow(each.mintedBelow));
  const ending = all.filter(
    (each) =>
      each === thing ||
      (descendants && each.cameOf.has(thing)) ||
      (!descendants && thing.isEphemeral && each.sort === 'key' && isBelow(each)),
  );
  return new Set(all.filter((each) => ending.includes(each) || ending.includes(each.holder)));
}
