import { CairnError } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import type { Tx } from '@cairn/postgres';
import { countOtherOwners, ownersAmong } from '../credentials/member-store.ts';
import { judgeEnding } from './judge-ending.ts';
import { readEndingCaller } from './read-ending-caller.ts';
import { type EndingSet, readTargets } from './read-targets.ts';

interface EndingRequest {
  caller: Identity;
  now: Date;
  set: EndingSet;
  /** False when everything that came of a credential is to end with it. */
  alone: boolean;
  /** Members of the set who keep their role, so that a change of their name cannot cost the tenant an owner. */
  ownersStay?: boolean;
}

/**
 * Throws `permission_denied`, naming what is missing, when the caller may not end the whole set, and `conflict` when the
 * tenant would be left without an owner. Other decisions about owners of the tenant wait until the transaction ends, so
 * the transaction must also record the end. What has ended already is not judged again. Needs the worker role, or the
 * live tenant.
 */
export async function assertMayEnd(tx: Tx, request: EndingRequest): Promise<void> {
  const targets = await readTargets(tx, request.set, request.now);
  if (targets.length === 0) return;
  const ender = await readEndingCaller(tx, request.caller, request.now);
  const ids = targets.map(({ id }) => id);
  const owners = request.ownersStay === true ? [] : await ownersAmong(tx, ids);
  const ownersLeft = owners[0] === undefined ? null : await countOtherOwners(tx, owners[0].tenant_id, ids);
  const decision = judgeEnding(ender, { targets, alone: request.alone, ownersLeft });
  if (decision.ok) return;
  if (decision.denial === 'last_owner')
    throw new CairnError('conflict', 'The last owner stays one; make somebody else an owner first.');
  throw new CairnError('permission_denied', messageOf(decision.lacks));
}

/** Enough to see what is missing; a set may hold far more. */
const NAMED_MAX = 10;

function messageOf(lacks: readonly string[]): string {
  const named = lacks.slice(0, NAMED_MAX).join(', ');
  const more = lacks.length > NAMED_MAX ? ` and ${lacks.length - NAMED_MAX} more` : '';
  return `The caller may not end what holds more than it does; it lacks ${named}${more}.`;
}
