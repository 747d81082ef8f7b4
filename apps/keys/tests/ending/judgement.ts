import { capabilityOfClient, capabilityOfKey } from '../../src/credentials/coverage.ts';
import { isApiKey } from '../../src/credentials/key-store.ts';
import type { Ancestry } from '../../src/ending/ancestry.ts';
import { type EndingCaller, judgeEnding, type Target } from '../../src/ending/judge-ending.ts';
import { endingCallerOf } from '../../src/ending/read-ending-caller.ts';
import { targetsOf } from '../../src/ending/read-targets.ts';
import { complaint, dragged, type Thing } from './oracle.ts';
import { type Actor, type Guard, NOW, ownersOf, refused, type Row, TENANT, thingsOf, type World } from './world.ts';

/** As the service finds it: by the columns of the rows. */
export function endedAlone(world: World, target: Row): Row[] {
  if (target.sort !== 'key' || target.row.kind !== 'ephemeral') return [target];
  const ids = new Set([target.thing.id]);
  const below = world.rows.filter(
    (each) => each.sort === 'key' && ids.has(each.row.parent_key_id ?? '') && ids.add(each.thing.id),
  );
  return [target, ...below];
}

export function endedTogether(world: World, target: Row): Row[] {
  const ids = new Set([target.thing.id]);
  const isBelow = (each: Row): boolean => {
    if (each.sort === 'client') return ids.has(each.row.parent_key_id);
    if (each.sort !== 'key' && each.sort !== 'member') return false;
    const { parent_key_id, rotated_from, rotated_by } = each.row;
    return [parent_key_id, rotated_from, rotated_by].some((id) => id !== null && ids.has(id));
  };
  // Nothing comes of what is younger, so one pass in the order of creation finds everything.
  return world.rows.filter((each) => (each === target || isBelow(each)) && ids.add(each.thing.id));
}

/** Throws unless the shipped decision lets the actor end the rows; a guard is left out by what it would have looked at. */
export function judge(
  world: World,
  actor: Actor,
  ending: readonly Row[],
  { alone, owners = false }: { alone: boolean; owners?: boolean },
): void {
  const { without } = world;
  const descent = descentOf(world);
  const ender = endingCallerOf(
    {
      kind: actor.sort === 'client' ? 'oauth' : actor.row.kind,
      memoryId: null,
      spaceId: null,
      scopes: actor.row.scopes,
    },
    actor.sort === 'client'
      ? {
          capability: capabilityOfClient(actor.row, TENANT),
          ownId: actor.thing.id,
          originId: actor.row.parent_key_id,
        }
      : { capability: capabilityOfKey(actor.row), ownId: actor.thing.id, originId: actor.thing.id },
    descent,
  );
  const judged = without.has('judgement of everything that is dragged along') ? ending.slice(0, 1) : ending;
  const targets = loadTargets(world, judged, descent);
  const counted = without.has('owners counted in the resulting state') ? ending.slice(0, 1) : ending;
  const gone = counted.filter(({ thing }) => thing.role === 'owner' && !thing.ended).length;
  const decision = judgeEnding(weakenEnder(ender, without), {
    targets: targets.map((target) => weakenTarget(target, without)),
    alone: alone || without.has('coverage of what is ended together'),
    ownersLeft: owners && gone > 0 ? ownersOf(world) - gone : null,
  });
  if (!decision.ok) throw refused();
}

function descentOf({ rows, without }: World): Ancestry {
  const keys = rows.flatMap((each) => (each.sort === 'key' || each.sort === 'member' ? [each.row] : []));
  const known = without.has('descent through rotations')
    ? keys.map((row) => ({ ...row, rotated_from: null, rotated_by: null }))
    : keys;
  return {
    rows: new Map(known.map((row) => [row.key_id, row])),
    members: new Map(keys.filter((row) => !isApiKey(row)).map((row) => [row.key_id, row])),
  };
}

function loadTargets(world: World, ending: readonly Row[], descent: Ancestry): Target[] {
  const isKey = (row: Row) => row.sort === 'key' || row.sort === 'member';
  const [session] = ending.flatMap((each) => (each.sort === 'session' ? [each.row] : []));
  const [app] = ending.flatMap((each) => (each.sort === 'app' ? [each.row] : []));
  return targetsOf(
    {
      keys: new Map(world.rows.filter(isKey).map(({ thing, row }) => [thing.id, row])),
      keyIds: ending.filter(isKey).map(({ thing }) => thing.id),
      clients: ending.flatMap((each) => (each.sort === 'client' ? [each.row] : [])),
      ...(session === undefined ? {} : { session }),
      ...(app === undefined ? {} : { app }),
    },
    descent,
  );
}

function weakenEnder(ender: EndingCaller, without: ReadonlySet<Guard>): EndingCaller {
  return {
    ...ender,
    ...(without.has('people behind the caller') ? { people: [] } : {}),
    ...(without.has('ancestors of the caller') ? { ancestorIds: new Set<string>() } : {}),
  };
}

function weakenTarget(target: Target, without: ReadonlySet<Guard>): Target {
  return {
    ...target,
    ...(without.has('people behind what is ended') ? { people: [] } : {}),
    ...(without.has('coverage of a person') && target.of === 'person'
      ? { capability: { ...target.capability, scopes: [] } }
      : {}),
  };
}

/** Marks the rows as ended with what stands for them, and compares with what the oracle allows. */
export function finish(world: World, actor: Thing, target: Row, ending: readonly Row[], descendants: boolean): void {
  const allowed = dragged(target.thing, thingsOf(world), descendants);
  for (const { thing, row } of ending) {
    if (thing.ended) continue;
    if (!allowed.has(thing))
      world.broken.push(`${actor.id} ended ${thing.id} outside of what came of ${target.thing.id}`);
    note(world, actor, thing, descendants);
    thing.ended = true;
    row.revoked_at = NOW;
  }
  for (const { thing, row } of world.rows)
    if (thing.holder.ended && !thing.ended) {
      thing.ended = true;
      row.revoked_at = NOW;
    }
}

export function note(world: World, actor: Thing, thing: Thing, withOthers: boolean): void {
  const found = complaint(actor, thing, withOthers);
  if (found !== null) world.broken.push(found);
}
