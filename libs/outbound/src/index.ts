export { mayDial } from './address-policy.ts';
export type { AddressPolicy } from './address-policy.ts';
export { OUTBOUND_FAILURES, OUTBOUND_REFUSALS, OutboundError } from './outbound-error.ts';
export type { OutboundErrorCode } from './outbound-error.ts';
export { createOutbound } from './outbound.ts';
export type { Outbound, OutboundAnswer, OutboundOptions, OutboundRequest } from './outbound.ts';
export { nameResolver } from './resolve-name.ts';
export type { ResolveName } from './resolve-name.ts';
