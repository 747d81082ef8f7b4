import type { AppAction, App, CredentialKind, Scope } from '@cairn/contracts';
import { missingPermission, type Identity } from './identity.ts';
import { parseIpRange, rangeContains } from './ip-range.ts';
import { outsideOf, type Place } from './place.ts';

/**
 * All rights of a credential: what it permits, in which environment, until when, from which addresses and at which
 * rate. A request is within the capability only when every field permits it; a field that is empty or null restricts
 * nothing.
 */
export interface Capability {
  /** The tenant it acts in. */
  tenantId: string;
  /** The live tenant that administers it: its own, or the one whose test environment it acts in. */
  ownerTenantId: string;
  livemode: boolean;
  kind: CredentialKind;
  scopes: readonly Scope[];
  /** App → actions; empty is unrestricted, including apps that are yet to come. */
  appPermissions: Readonly<Partial<Record<App, readonly AppAction[]>>>;
  memoryId: string | null;
  spaceId: string | null;
  /** CIDR ranges. */
  ipAllowlist: readonly string[];
  requestsPerSecond: number | null;
  burst: number | null;
  expiresAt: Date | null;
  /** The latest `expiresAt` that it can ever be given; null when anyone who holds as much may extend it. */
  expiresBy: Date | null;
}

/**
 * Capability inclusion: true when `holder` may make every request that `other` may make, and the lifetime of `other`
 * cannot be extended beyond that of `holder`. This is the only rule by which a credential may create, change or take
 * over another one, and it is always applied to the resulting credential as a whole. Comparing the fields one by one
 * with several holders would let two credentials be combined into more than either.
 */
export function covers(holder: Capability, other: Capability): boolean {
  return excessOver(holder, other).length === 0;
}

/** What `other` has beyond `holder`, in the words of an error message; empty when `holder` covers it. */
export function excessOver(holder: Capability, other: Capability): string[] {
  return [
    ...excessEnvironment(holder, other),
    ...other.scopes.filter((scope) => !holder.scopes.includes(scope)).map((scope) => `scope ${scope}`),
    ...excessApps(holder, other),
    ...excessPlace(holder, other),
    ...excessAddresses(holder, other),
    ...excessLifetime(holder, other),
    ...excessRate(holder, other),
  ];
}

/** A live credential also administers the test environment of its tenant; nothing reaches from there to live data. */
function excessEnvironment(holder: Capability, other: Capability): string[] {
  const administers = holder.livemode && !other.livemode && other.ownerTenantId === holder.tenantId;
  const excess: string[] = [];
  if (other.tenantId !== holder.tenantId && !administers) excess.push('access to that environment');
  if (mayDelegate(other.kind) && !mayDelegate(holder.kind)) excess.push('the right to create credentials');
  return excess;
}

/** Memory keys and OAuth tokens create no credentials, whatever their scopes. */
export function mayDelegate(kind: CredentialKind): boolean {
  return kind !== 'memory' && kind !== 'oauth';
}

function excessApps(holder: Capability, other: Capability): string[] {
  if (Object.keys(holder.appPermissions).length === 0) return [];
  const entries = Object.entries(other.appPermissions) as [App, readonly AppAction[]][];
  if (entries.length === 0) return ['unrestricted app permissions'];
  return entries.flatMap(([app, actions]) =>
    actions
      .filter((action) => holder.appPermissions[app]?.includes(action) !== true)
      .map((action) => `app permission ${app}:${action}`),
  );
}

function excessPlace(holder: Capability, other: Capability): string[] {
  if (holder.memoryId !== null && other.memoryId !== holder.memoryId) return ['access to another memory'];
  if (holder.spaceId !== null && other.spaceId !== holder.spaceId) return ['access outside its space'];
  return [];
}

/** Each range must lie in one of the holder's: two adjacent ranges are not joined, which errs on the safe side. */
function excessAddresses(holder: Capability, other: Capability): string[] {
  if (holder.ipAllowlist.length === 0) return [];
  if (other.ipAllowlist.length === 0) return ['use from any address'];
  return other.ipAllowlist
    .filter((range) => !holder.ipAllowlist.some((outer) => isWithin(outer, range)))
    .map((range) => `use from ${range}`);
}

/** True when every address of `inner` is also one of `outer`. */
function isWithin(outer: string, inner: string): boolean {
  const [outerRange, innerRange] = [parseIpRange(outer), parseIpRange(inner)];
  return outerRange !== null && innerRange !== null && rangeContains(outerRange, innerRange);
}

function excessLifetime(holder: Capability, other: Capability): string[] {
  if (isLater(other.expiresAt, holder.expiresAt)) return [`a lifetime beyond ${holder.expiresAt!.toISOString()}`];
  // A credential that must expire cannot hold one that somebody else may extend past that time.
  if (isLater(other.expiresBy, holder.expiresBy))
    return [`a lifetime that may be extended beyond ${holder.expiresBy!.toISOString()}`];
  return [];
}

function isLater(time: Date | null, than: Date | null): boolean {
  return (time?.getTime() ?? Infinity) > (than?.getTime() ?? Infinity);
}

function excessRate(holder: Capability, other: Capability): string[] {
  const excess: string[] = [];
  if ((other.requestsPerSecond ?? Infinity) > (holder.requestsPerSecond ?? Infinity))
    excess.push(`rate_limit.requests_per_second above ${holder.requestsPerSecond}`);
  if ((other.burst ?? Infinity) > (holder.burst ?? Infinity)) excess.push(`rate_limit.burst above ${holder.burst}`);
  return excess;
}

/** What a service checks about a request; the gateway has checked address, expiry and rate before. */
interface CapabilityRequest {
  operations?: readonly { app: App; action: AppAction; scope: Scope | null }[];
  /** Where the request reads or writes. */
  place?: Place;
}

type Refusal = { lacks: string[] } | { outside: 'memory' | 'space' };

/** Why the caller may not make the request; null when it may. */
export function refusalOf(
  caller: Pick<Identity, 'scopes' | 'appPermissions' | 'memoryId' | 'spaceId' | 'hostMemoryId'>,
  { operations = [], place }: CapabilityRequest,
): Refusal | null {
  const lacks = new Set(operations.flatMap((operation) => missingPermission(caller, operation) ?? []));
  if (lacks.size > 0) return { lacks: [...lacks] };
  const outside = place === undefined ? null : outsideOf(caller, place);
  return outside === null ? null : { outside };
}
