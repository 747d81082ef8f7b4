export { type Clock, SYSTEM_CLOCK } from './clock.ts';
export {
  type Coordinate,
  type CoordinatorOptions,
  createCoordinator,
  type Lease,
  type LeaseTable,
} from './coordinator.ts';
export {
  type BeginStrangerLookup,
  createCredentialGuard,
  type CredentialGuard,
  type CredentialGuardOptions,
  type Resolved,
} from './credential-guard.ts';
export { type GatewayLease, type GatewayLeaseOptions, holdLease, type LeaseAnswer } from './gateway-lease.ts';
export { type LaneLookup, LookupLanes, type LookupLanesBounds } from './lookup-lanes.ts';
export { type Bearer, namesOf, namesOfNarrowed, type Narrowed, type Narrowing } from './narrowing.ts';
export { createNarrowingsSeen, type NarrowingsSeen } from './narrowings-seen.ts';
