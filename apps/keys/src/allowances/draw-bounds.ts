import { validationFailed } from '@cairn/errors';
import type { QuotaRequest } from './quota-store.ts';

const GATEWAY_ID_MAX_CHARS = 128;
const DRAWN_MAX = 10_000;
/** Every tenant in every month of a process; fewer bytes than the 4 MiB that a message may have. */
const SETTLED_MAX = 50_000;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Throws `validation_failed` without an id of the gateway process, or with too many entries. */
export function assertWellFormedDraw(gatewayId: string, entries: number): void {
  assertWithin(gatewayId, 'rates', entries, DRAWN_MAX);
}

/** The same for what a gateway process spent of all quotas, which is settled at once. */
export function assertWellFormedSettlement(gatewayId: string, entries: number): void {
  assertWithin(gatewayId, 'quotas', entries, SETTLED_MAX);
}

function assertWithin(gatewayId: string, path: string, entries: number, max: number): void {
  if (gatewayId === '' || gatewayId.length > GATEWAY_ID_MAX_CHARS)
    throw validationFailed([{ path: 'gateway_id', message: `must have 1 to ${GATEWAY_ID_MAX_CHARS} characters` }]);
  if (entries > max) throw validationFailed([{ path, message: `at most ${max} at once` }]);
}

export function isWellFormedQuota({ tenantId, month }: Pick<QuotaRequest, 'tenantId' | 'month'>): boolean {
  return tenantId !== '' && MONTH.test(month);
}
