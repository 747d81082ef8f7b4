/** What is narrowed: single credentials by their ids, or all that act in a tenant or are bound to a memory or space. */
export type Narrowed =
  | { what: 'credentials'; ids: readonly string[] }
  | { what: 'tenant'; tenantId: string }
  | { what: 'memory'; tenantId: string; memoryId: string }
  | { what: 'space'; tenantId: string; memoryId: string; spaceId: string };

/** What a gateway is told of a narrowing. */
export interface Narrowing {
  narrowed: Narrowed;
  /**
   * `deny`: what is meant is good for nothing any more. `recheck`: it may be good for less, so nothing that was known
   * of it before counts.
   */
  effect: 'deny' | 'recheck';
  /** True when what runs on the credentials is ended: event streams and WebSockets. */
  closes: boolean;
}

/** Whom a credential stands for, as far as narrowing goes. */
export interface Bearer {
  /** What can be revoked by itself: the key, or a single token. */
  credentialId: string;
  /** The key, or the client of a token. */
  keyId: string;
  tenantId: string;
  memoryId: string | null;
  spaceId: string | null;
}

/** The names under which a narrowing that meets the bearer is written down. */
export function namesOf(bearer: Bearer): string[] {
  const { credentialId, keyId, tenantId, memoryId, spaceId } = bearer;
  const names = [`c ${credentialId}`, `c ${keyId}`, `t ${tenantId}`];
  if (memoryId !== null) names.push(`m ${tenantId} ${memoryId}`);
  if (memoryId !== null && spaceId !== null) names.push(`s ${tenantId} ${memoryId} ${spaceId}`);
  return names;
}

/** The names that a narrowing writes down. */
export function namesOfNarrowed(narrowed: Narrowed): string[] {
  switch (narrowed.what) {
    case 'credentials':
      return narrowed.ids.map((id) => `c ${id}`);
    case 'tenant':
      return [`t ${narrowed.tenantId}`];
    case 'memory':
      return [`m ${narrowed.tenantId} ${narrowed.memoryId}`];
    case 'space':
      return [`s ${narrowed.tenantId} ${narrowed.memoryId} ${narrowed.spaceId}`];
  }
}
