import type { Identity } from './identity.ts';

/** What confines a request: the binding of its credential, and the memory whose own hostname was called. */
type Binding = Pick<Identity, 'memoryId' | 'spaceId' | 'hostMemoryId'>;

/** A place in a tenant's data. */
export interface Place {
  memoryId: string;
  /** Null: the memory as a whole, and its root, which lies in no space. */
  spaceId: string | null;
}

/** What a request names; undefined leaves it to whatever confines the request. */
interface NamedPlace {
  memoryId?: string | undefined;
  /** Null names the root of the memory explicitly, which is outside every space. */
  spaceId?: string | null | undefined;
}

type ConfinedPlace =
  /** Null: the default memory, or the memory as a whole. */
  { ok: true; memoryId: string | null; spaceId: string | null } | { ok: false; outside: 'memory' | 'space' };

/** The place that a request refers to, given what confines it. Whatever it names must agree with that. */
export function confine(binding: Binding, named: NamedPlace): ConfinedPlace {
  const memories = [named.memoryId, binding.hostMemoryId, binding.memoryId].filter((id) => id != null);
  const memoryId = memories[0] ?? null;
  if (memories.some((id) => id !== memoryId)) return { ok: false, outside: 'memory' };
  if (binding.spaceId !== null && named.spaceId !== undefined && named.spaceId !== binding.spaceId)
    return { ok: false, outside: 'space' };
  return { ok: true, memoryId, spaceId: named.spaceId ?? binding.spaceId };
}

/** Which restriction a place violates; null when the request may reach it. */
export function outsideOf(binding: Binding, place: Place): 'memory' | 'space' | null {
  const confined = confine(binding, place);
  return confined.ok ? null : confined.outside;
}
