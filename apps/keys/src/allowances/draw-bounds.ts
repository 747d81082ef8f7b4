import { validationFailed } from '@cairn/errors';
import type { QuotaRequest } from './quota-store.ts';

const GATEWAY_ID_MAX_CHARS = 128;
const ENTRIES_MAX = 10_000;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Throws `validation_failed` without an id of the gateway process, or with too many entries. */
export function assertWellFormedDraw(gatewayId: string, entries: number): void {
  if (gatewayId === '' || gatewayId.length > GATEWAY_ID_MAX_CHARS)
    throw validationFailed([{ path: 'gateway_id', message: `must have 1 to ${GATEWAY_ID_MAX_CHARS} characters` }]);
  if (entries > ENTRIES_MAX) throw validationFailed([{ path: 'rates', message: `at most ${ENTRIES_MAX} at once` }]);
}

export function isWellFormedQuota({ tenantId, month }: Pick<QuotaRequest, 'tenantId' | 'month'>): boolean {
  return tenantId !== '' && MONTH.test(month);
}
