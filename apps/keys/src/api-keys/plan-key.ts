import {
  type App,
  type AppAction,
  KEY_TYPES,
  type KeyType,
  MEMORY_KEY_DEFAULT_SCOPES,
  MEMORY_KEY_EXTRA_SCOPES,
  type Scope,
  SCOPES,
} from '@cairn/contracts';
import { CairnError, type FieldError, validationFailed } from '@cairn/errors';
import { parseIpRange } from '@cairn/identity';
import { assertCovered, capabilityOfKey, type KeyCapability } from '../credentials/coverage.ts';
import type { KeyRow } from '../credentials/key-store.ts';

export const EPHEMERAL_LIFETIME_MS = 24 * 3_600_000;

/** A new key as the caller requests it. */
export interface KeyRequest {
  type: KeyType;
  scopes: readonly Scope[] | undefined;
  app_permissions: Partial<Record<App, readonly AppAction[]>>;
  ip_allowlist: readonly string[];
  expires_at: Date | null;
  memory_id: string | undefined;
  space_id: string | undefined;
  rate_limit: { requests_per_second: number; burst: number } | undefined;
}

/** The tenant a key acts in. */
export interface KeyTenant {
  tenantId: string;
  livemode: boolean;
}

/**
 * The key that results from a request below `parent`: what is not requested is inherited from the parent. Throws
 * `validation_failed` for a request that contradicts itself and `permission_denied` for one beyond the parent.
 */
export function planKey(
  parent: KeyRow,
  request: KeyRequest,
  home: KeyTenant,
  now: Date,
): KeyCapability & { kind: KeyType } {
  assertWellFormed(request, now);
  if (!parent.livemode && request.type === 'live')
    throw new CairnError('permission_denied', 'A test key mints keys of the test environment only.');
  const planned: KeyCapability & { kind: KeyType } = {
    tenant_id: home.tenantId,
    owner_tenant_id: parent.owner_tenant_id,
    kind: request.type,
    livemode: home.livemode,
    scopes: scopesOf(parent, request),
    app_permissions: isEmpty(request.app_permissions) ? parent.app_permissions : copyOf(request.app_permissions),
    ip_allowlist: [...(request.ip_allowlist.length === 0 ? parent.ip_allowlist : request.ip_allowlist)],
    memory_id: request.memory_id ?? null,
    space_id: request.space_id ?? null,
    requests_per_second: lower(parent.requests_per_second, request.rate_limit?.requests_per_second),
    burst: lower(parent.burst, request.rate_limit?.burst),
    expires_at: expiryOf(parent, request, now),
    expires_by: latestExpiryOf(parent, request.type, now),
  };
  assertCovered(parent, capabilityOfKey(planned));
  return planned;
}

/** Reports every way in which the request contradicts itself. */
function assertWellFormed(request: KeyRequest, now: Date): void {
  const errors: FieldError[] = [];
  if (!KEY_TYPES.includes(request.type)) errors.push({ path: 'type', message: 'is not a type of key' });
  if (request.type === 'memory' && request.memory_id === undefined)
    errors.push({ path: 'memory_id', message: 'is required for a memory key' });
  if (request.type !== 'memory' && request.memory_id !== undefined)
    errors.push({ path: 'memory_id', message: 'is for memory keys only' });
  if (request.type !== 'memory' && request.space_id !== undefined)
    errors.push({ path: 'space_id', message: 'is for memory keys only' });
  if (request.expires_at !== null && request.expires_at <= now)
    errors.push({ path: 'expires_at', message: 'must be in the future' });
  errors.push(...rangeErrors(request.ip_allowlist), ...scopeErrors(request.type, request.scopes ?? []));
  if (errors.length > 0) throw validationFailed(errors);
}

export function rangeErrors(ranges: readonly string[]): FieldError[] {
  return ranges.flatMap((range, index) =>
    parseIpRange(range) === null ? [{ path: `ip_allowlist.${index}`, message: 'is not a CIDR range' }] : [],
  );
}

export function scopeErrors(type: KeyType, scopes: readonly Scope[]): FieldError[] {
  const allowed: readonly Scope[] =
    type === 'memory' ? [...MEMORY_KEY_DEFAULT_SCOPES, ...MEMORY_KEY_EXTRA_SCOPES] : SCOPES;
  return scopes.flatMap((scope, index) =>
    allowed.includes(scope) ? [] : [{ path: `scopes.${index}`, message: `a memory key cannot hold ${scope}` }],
  );
}

/** What is requested, whether or not the parent holds it; by default what the parent holds of the type's scopes. */
function scopesOf(parent: KeyRow, request: KeyRequest): Scope[] {
  if (request.scopes !== undefined) return [...new Set(request.scopes)];
  const byDefault = request.type === 'memory' ? MEMORY_KEY_DEFAULT_SCOPES : SCOPES;
  return byDefault.filter((scope) => parent.scopes.includes(scope));
}

function isEmpty(permissions: object): boolean {
  return Object.keys(permissions).length === 0;
}

function copyOf(permissions: KeyRequest['app_permissions']): KeyRow['app_permissions'] {
  return Object.fromEntries(
    Object.entries(permissions).map(([app, actions]) => [app, [...actions]]),
  ) as KeyRow['app_permissions'];
}

function lower(own: number | null, requested: number | undefined): number | null {
  return requested === undefined ? own : Math.min(requested, own ?? requested);
}

function expiryOf(parent: KeyRow, request: KeyRequest, now: Date): Date | null {
  const limits = [parent.expires_at];
  if (request.type === 'ephemeral') limits.push(new Date(now.getTime() + EPHEMERAL_LIFETIME_MS));
  const latest = earliest(limits);
  if (request.expires_at === null) return latest;
  if (latest !== null && request.expires_at > latest) {
    throw validationFailed([{ path: 'expires_at', message: `may be at most ${latest.toISOString()}` }]);
  }
  return request.expires_at;
}

function earliest(times: readonly (Date | null)[]): Date | null {
  return times.filter((time) => time !== null).sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

/** What is minted below an ephemeral key expires with it at the latest, whoever changes it later. */
function latestExpiryOf(parent: KeyRow, type: KeyType, now: Date): Date | null {
  const inherited = parent.kind === 'ephemeral' ? parent.expires_at : parent.expires_by;
  const own = type === 'ephemeral' ? new Date(now.getTime() + EPHEMERAL_LIFETIME_MS) : null;
  return earliest([inherited, own]);
}
