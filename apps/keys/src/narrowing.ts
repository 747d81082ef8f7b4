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
import { parseIpRange, rangeContains } from '@cairn/identity';
import type { KeyRow } from './key-store.ts';

export const EPHEMERAL_LIFETIME_MS = 24 * 3_600_000;

/** What a caller asks a new key to be. */
export interface KeyWish {
  type: KeyType;
  scopes: readonly Scope[] | undefined;
  app_permissions: Partial<Record<App, readonly AppAction[]>>;
  ip_allowlist: readonly string[];
  expires_at: Date | null;
  memory_id: string | undefined;
  space_id: string | undefined;
}

export interface GrantedKey {
  scopes: Scope[];
  appPermissions: Partial<Record<App, AppAction[]>>;
  ipAllowlist: string[];
  expiresAt: Date | null;
  /** The latest it may ever be given to live to; null for no such bound. */
  expiresBy: Date | null;
}

/** A child key never holds more than its parent: scopes, permissions, addresses, lifetime, environment. */
export function grantKey(parent: KeyRow, wish: KeyWish, now: Date): GrantedKey {
  assertWellFormed(wish, now);
  if (!parent.livemode && wish.type !== 'test' && wish.type !== 'memory' && wish.type !== 'ephemeral') {
    throw new CairnError('permission_denied', 'A test key mints keys of the test environment only.');
  }
  return {
    scopes: grantScopes(parent, wish),
    appPermissions: grantApps(parent, wish),
    ipAllowlist: grantAddresses(parent, wish),
    expiresAt: grantLifetime(parent, wish, now),
    expiresBy: boundLifetime(parent, wish.type, now),
  };
}

/** Says every way in which the wish contradicts itself. */
function assertWellFormed(wish: KeyWish, now: Date): void {
  const errors: FieldError[] = [];
  if (!KEY_TYPES.includes(wish.type)) errors.push({ path: 'type', message: 'is not a type of key' });
  if (wish.type === 'memory' && wish.memory_id === undefined)
    errors.push({ path: 'memory_id', message: 'is required for a memory key' });
  if (wish.type !== 'memory' && wish.memory_id !== undefined)
    errors.push({ path: 'memory_id', message: 'is for memory keys only' });
  if (wish.type !== 'memory' && wish.space_id !== undefined)
    errors.push({ path: 'space_id', message: 'is for memory keys only' });
  if (wish.expires_at !== null && wish.expires_at <= now)
    errors.push({ path: 'expires_at', message: 'lies in the past' });
  errors.push(...rangeErrors(wish.ip_allowlist), ...scopeErrors(wish.type, wish.scopes ?? []));
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

function grantScopes(parent: KeyRow, wish: KeyWish): Scope[] {
  const holds = (scope: Scope) => parent.scopes.includes(scope);
  const lacking = (wish.scopes ?? []).filter((scope) => !holds(scope));
  if (lacking.length > 0)
    throw new CairnError('permission_denied', `The minting key lacks scope ${lacking.join(', ')}.`);
  const wanted = wish.scopes ?? (wish.type === 'memory' ? MEMORY_KEY_DEFAULT_SCOPES : SCOPES);
  return [...new Set(wanted.filter(holds))];
}

function grantApps(parent: KeyRow, wish: KeyWish): Partial<Record<App, AppAction[]>> {
  const parentApps = parent.app_permissions;
  const unrestricted = Object.keys(wish.app_permissions).length === 0;
  if (unrestricted) return parentApps;
  const granted = Object.fromEntries(
    Object.entries(wish.app_permissions).map(([app, actions]) => [app, [...actions]]),
  ) as Partial<Record<App, AppAction[]>>;
  if (Object.keys(parentApps).length === 0) return granted;
  for (const [app, actions] of Object.entries(granted) as [App, AppAction[]][]) {
    const lacking = actions.filter((action) => parentApps[app]?.includes(action) !== true);
    if (lacking.length > 0)
      throw new CairnError('permission_denied', `The minting key lacks app permission ${app}:${lacking.join(',')}.`);
  }
  return granted;
}

function grantAddresses(parent: KeyRow, wish: KeyWish): string[] {
  if (parent.ip_allowlist.length === 0) return [...wish.ip_allowlist];
  if (wish.ip_allowlist.length === 0) return parent.ip_allowlist;
  const outside = wish.ip_allowlist.find((range) => !parent.ip_allowlist.some((outer) => isWithin(outer, range)));
  if (outside !== undefined)
    throw new CairnError('permission_denied', `The minting key may not be used from ${outside}.`);
  return [...wish.ip_allowlist];
}

function grantLifetime(parent: KeyRow, wish: KeyWish, now: Date): Date | null {
  const limits = [parent.expires_at];
  if (wish.type === 'ephemeral') limits.push(new Date(now.getTime() + EPHEMERAL_LIFETIME_MS));
  const latest = earliest(limits);
  if (wish.expires_at === null) return latest;
  if (latest !== null && wish.expires_at > latest) {
    throw validationFailed([{ path: 'expires_at', message: `may be at most ${latest.toISOString()}` }]);
  }
  return wish.expires_at;
}

function earliest(times: readonly (Date | null)[]): Date | null {
  return times.filter((time) => time !== null).sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

/** What is minted below an ephemeral key ends with it at the latest, whoever changes it later. */
function boundLifetime(parent: KeyRow, type: KeyType, now: Date): Date | null {
  const inherited = parent.kind === 'ephemeral' ? parent.expires_at : parent.expires_by;
  const own = type === 'ephemeral' ? new Date(now.getTime() + EPHEMERAL_LIFETIME_MS) : null;
  return earliest([inherited, own]);
}

/** True when every address of `inner` is one of `outer`. */
export function isWithin(outer: string, inner: string): boolean {
  const [outerRange, innerRange] = [parseIpRange(outer), parseIpRange(inner)];
  return outerRange !== null && innerRange !== null && rangeContains(outerRange, innerRange);
}
