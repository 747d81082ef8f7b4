import { CHARGES, type ChargeName } from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { acquireSharedWriteLock } from '../stores/write-lock.ts';
import { monthAt } from '../months/month.ts';
import { type PriceList, versionAt } from '../prices/price-list.ts';
import type { EnsureTenant } from '../tenants/ensure-tenant.ts';
import { requireOpenTenant } from '../stores/tenant-store.ts';
import { balanceOf, findAccount, MICRO, openAccount, reserveFrom } from '../stores/account-store.ts';
import { type ChargeRow, findCharge, insertCharge } from '../stores/charge-store.ts';

export interface ReserveDeps {
  workerDatabase: Database;
  prices: { current(): PriceList };
  ensureTenant: EnsureTenant;
  now: () => Date;
}

interface Reservation {
  tenantId: string;
  livemode: boolean;
  runId: string;
  charge: string;
  serviceId: string;
  holdSeconds: number;
}

const RESERVATION_DEFAULT_SECONDS = 7 * 86_400;
const RESERVATION_MAX_SECONDS = 90 * 86_400;
const ID_MAX_CHARS = 128;

/**
 * Reserves the price of a run from the month's balance, once for each run. Throws `insufficient_credits` when the
 * balance does not reach, and `conflict` when the run is charged for something else.
 */
export async function reserveCharge(deps: ReserveDeps, request: Reservation): Promise<ChargeRow> {
  const charge = validated(request);
  await deps.ensureTenant(request.tenantId);
  const now = deps.now();
  const month = monthAt(now);
  const version = versionAt(deps.prices.current(), now.getTime());
  if (version === null)
    throw new CairnError('internal', '', { internal: 'the price list has no version in force now' });
  return deps.workerDatabase.transaction(async (tx) => {
    await acquireSharedWriteLock(tx);
    const tenant = await requireOpenTenant(tx, request.tenantId);
    // Charges of a test tenant are recorded like any other and cost nothing; both tenancy and the caller must say live.
    const livemode = request.livemode && tenant.livemode;
    const microCredits = livemode ? version.charges[charge] : 0;
    const inserted = await insertCharge(tx, {
      tenant_id: request.tenantId,
      run_id: request.runId,
      charge,
      month,
      livemode,
      micro_credits: microCredits,
      price_version: version.version,
      service_id: request.serviceId === '' ? null : request.serviceId,
      reserved_at: now,
      expires_at: new Date(now.getTime() + (request.holdSeconds || RESERVATION_DEFAULT_SECONDS) * 1_000),
    });
    if (inserted === null) return requireSameCharge(await findCharge(tx, request.tenantId, request.runId), charge);
    await openAccount(tx, request.tenantId, month);
    if (!(await reserveFrom(tx, request.tenantId, month, microCredits))) {
      const account = await findAccount(tx, request.tenantId, month);
      throw insufficient(charge, microCredits, account === null ? 0 : balanceOf(account));
    }
    return inserted;
  });
}

function validated(request: Reservation): ChargeName {
  const problems: { path: string; message: string }[] = [];
  const charge = CHARGES.find((name) => name === request.charge);
  if (charge === undefined) problems.push({ path: 'charge', message: `must be one of ${CHARGES.join(', ')}` });
  if (request.tenantId === '') problems.push({ path: 'tenant_id', message: 'is required' });
  if (request.runId === '' || request.runId.length > ID_MAX_CHARS)
    problems.push({ path: 'run_id', message: `must have 1 to ${ID_MAX_CHARS} characters` });
  if (request.serviceId.length > ID_MAX_CHARS)
    problems.push({ path: 'service_id', message: `may have ${ID_MAX_CHARS} characters` });
  if (request.holdSeconds > RESERVATION_MAX_SECONDS)
    problems.push({ path: 'hold_seconds', message: `may be ${RESERVATION_MAX_SECONDS}` });
  if (charge === undefined || problems.length > 0) throw validationFailed(problems);
  return charge;
}

function requireSameCharge(existing: ChargeRow | null, charge: ChargeName): ChargeRow {
  // Another transaction inserted it and rolled back, or it was erased: the caller's retry finds a settled state.
  if (existing === null) throw new CairnError('unavailable', 'The charge is being changed.');
  if (existing.charge !== charge)
    throw new CairnError('conflict', `The run is charged as ${existing.charge}, not as ${charge}.`);
  return existing;
}

function insufficient(charge: ChargeName, price: number, balance: number): CairnError {
  const shown = (microCredits: number) => String(microCredits / MICRO);
  return new CairnError(
    'insufficient_credits',
    `${charge} costs ${shown(price)} credits; ${shown(balance)} are left this month.`,
  );
}
