import type { AppAction, App, CredentialKind, Scope } from '@cairn/contracts';

/** Header that carries the caller's identity, signed by the gateway. */
export const IDENTITY_HEADER = 'x-cairn-identity';
/** Metadata of a gRPC call that a service makes for a caller: the identity token that the service was sent. */
export const ON_BEHALF_OF_HEADER = 'x-cairn-on-behalf-of';

/** The caller, as the gateway authenticated it. */
export interface Identity {
  tenantId: string;
  livemode: boolean;
  keyId: string;
  /** What can be revoked by itself: the key, or the single OAuth token. */
  credentialId: string;
  kind: CredentialKind;
  scopes: readonly Scope[];
  /** App → actions; empty means unrestricted. */
  appPermissions: Readonly<Partial<Record<App, readonly AppAction[]>>>;
  /** The only memory the credential reaches, or null. */
  memoryId: string | null;
  /** The only space the credential reaches, or null. */
  spaceId: string | null;
  /** The memory whose own hostname was called, or null. */
  hostMemoryId: string | null;
  /** Requests are admitted under this identity until then (milliseconds since the epoch). */
  admitUntilMs: number;
}

/** Another service that calls in its own name. */
export interface ServiceIdentity {
  service: string;
  admitUntilMs: number;
}

/** The permission that is missing for an operation; null when it is allowed. */
export function missingPermission(
  identity: Pick<Identity, 'scopes' | 'appPermissions'>,
  needed: { app: App; action: AppAction; scope: Scope | null },
): string | null {
  if (needed.scope === null) return null;
  if (!identity.scopes.includes(needed.scope)) return `scope ${needed.scope}`;
  const apps = identity.appPermissions;
  if (Object.keys(apps).length > 0 && apps[needed.app]?.includes(needed.action) !== true) {
    return `app permission ${needed.app}:${needed.action}`;
  }
  return null;
}
