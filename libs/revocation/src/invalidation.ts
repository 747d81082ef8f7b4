/** What is invalidated: credentials by their ids, or all that act in a tenant or are bound to a memory or space. */
export type InvalidationTarget =
  | { what: 'credentials'; ids: readonly string[] }
  | { what: 'tenant'; tenantId: string }
  | { what: 'memory'; tenantId: string; memoryId: string }
  | { what: 'space'; tenantId: string; memoryId: string; spaceId: string };

/** An invalidation as it is sent to gateways. */
export interface Invalidation {
  invalidated: InvalidationTarget;
  /**
   * `deny`: the credentials have no rights any more. `recheck`: they may have fewer, so nothing that is cached about
   * them counts.
   */
  effect: 'deny' | 'recheck';
  /** Whether open connections of the credentials are closed: event streams and WebSockets. */
  closes: boolean;
}

/** The ids by which an invalidation can refer to a credential. */
export interface CredentialSubject {
  /** What can be revoked by itself: the key, or a single token. */
  credentialId: string;
  /** The key, or the client of a token. */
  keyId: string;
  tenantId: string;
  memoryId: string | null;
  spaceId: string | null;
}

/** The names under which an invalidation that affects the credential is recorded. */
export function namesOfSubject(subject: CredentialSubject): string[] {
  const { credentialId, keyId, tenantId, memoryId, spaceId } = subject;
  const names = [`c ${credentialId}`, `c ${keyId}`, `t ${tenantId}`];
  if (memoryId !== null) names.push(`m ${tenantId} ${memoryId}`);
  if (memoryId !== null && spaceId !== null) names.push(`s ${tenantId} ${memoryId} ${spaceId}`);
  return names;
}

/** The names under which an invalidation is recorded. */
export function namesOfTarget(invalidated: InvalidationTarget): string[] {
  switch (invalidated.what) {
    case 'credentials':
      return invalidated.ids.map((id) => `c ${id}`);
    case 'tenant':
      return [`t ${invalidated.tenantId}`];
    case 'memory':
      return [`m ${invalidated.tenantId} ${invalidated.memoryId}`];
    case 'space':
      return [`s ${invalidated.tenantId} ${invalidated.memoryId} ${invalidated.spaceId}`];
  }
}
