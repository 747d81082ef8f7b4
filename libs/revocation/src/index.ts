export { type Clock, SYSTEM_CLOCK } from './clock.ts';
export {
  type Coordinate,
  type CoordinatorOptions,
  createCoordinator,
  type Lease,
  type LeaseTable,
} from './coordinator.ts';
export { createCredentialGuard, type CredentialGuard } from './credential-guard.ts';
export { type GatewayLease, maintainLease } from './gateway-lease.ts';
export { growingCacheOptions } from './growing-cache-options.ts';
export { type BeginUnknownLookup, type Lookup, LookupCache } from './lookup-cache.ts';
export {
  type CredentialSubject,
  namesOfSubject,
  namesOfTarget,
  type InvalidationTarget,
  type Invalidation,
} from './invalidation.ts';
export { createInvalidationLog, type InvalidationLog } from './invalidation-log.ts';
