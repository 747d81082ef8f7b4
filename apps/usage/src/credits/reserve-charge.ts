import { CHARGES, type ChargeName } from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { shareWriting } from '../calls/call-store.ts';
import { monthAt } from '../calls/months.ts';
import { type PriceBook, versionAt } from '../prices/price-book.ts';
import type { KnowTenant } from '../tenants/know-tenant.ts';
import { assertOpen } from '../tenants/tenant-store.ts';
import { balanceOf, findAccount, MICRO, openAccount, reserveFrom } from './account-store.ts';
import { type ChargeRow, findCharge, insertCharge } from './charge-store.ts';

export interface ReserveParts {
  workerDatabase: Database;
  prices: { current(): PriceBook };
  knowTenant: KnowTenant;
  now: () => Date;
}

export interface Reservation {
  tenantId: string;
  livemode: boolean;
  runId: string;
  charge: string;
  serviceId: string;
  holdSeconds: number;
}

const DEFAULT_HOLD_SECONDS = 7 * 86_400;
const HOLD_MAX_SECONDS = 90 * 86_400;
const ID_MAX_CHARS = 128;

/**
 * Takes the price of a run out of the month's balance, once for each run. Throws `insufficient_credits` when the
 * balance does not reach, and `conflict` when the run is charged for something else.
 */
export async function reserveCharge(parts: ReserveParts, request: Reservation): Promise<ChargeRow> {
  const charge = checked(request);
  await parts.knowTenant(request.tenantId);
  const now = parts.now();
  const month = monthAt(now);
  const version = versionAt(parts.prices.current(), now.getTime());
  if (version === null)
    throw new CairnError('internal', '', { internal: 'the price book has no version for the present' });
  return parts.workerDatabase.transaction(async (tx) => {
    await shareWriting(tx);
    const tenant = await assertOpen(tx, request.tenantId);
    // The twin's charges are written down like any other, and cost nothing. Tenancy's word counts besides the caller's.
    const livemode = request.livemode && tenant.livemode;
    const microCredits = livemode ? version.charges[charge] : 0;
    const made = await insertCharge(tx, {
      tenant_id: request.tenantId,
      run_id: request.runId,
      charge,
      month,
      livemode,
      micro_credits: microCredits,
      price_version: version.version,
      service_id: request.serviceId === '' ? null : request.serviceId,
      reserved_at: now,
      expires_at: new Date(now.getTime() + (request.holdSeconds || DEFAULT_HOLD_SECONDS) * 1_000),
    });
    if (made === null) return sameCharge(await findCharge(tx, request.tenantId, request.runId), charge);
    await openAccount(tx, request.tenantId, month);
    if (!(await reserveFrom(tx, request.tenantId, month, microCredits))) {
      const account = await findAccount(tx, request.tenantId, month);
      throw insufficient(charge, microCredits, account === null ? 0 : balanceOf(account));
    }
    return made;
  });
}

function checked(request: Reservation): ChargeName {
  const problems: { path: string; message: string }[] = [];
  const charge = CHARGES.find((name) => name === request.charge);
  if (charge === undefined) problems.push({ path: 'charge', message: `must be one of ${CHARGES.join(', ')}` });
  if (request.tenantId === '') problems.push({ path: 'tenant_id', message: 'is required' });
  if (request.runId === '' || request.runId.length > ID_MAX_CHARS)
    problems.push({ path: 'run_id', message: `must have 1 to ${ID_MAX_CHARS} characters` });
  if (request.serviceId.length > ID_MAX_CHARS)
    problems.push({ path: 'service_id', message: `may have ${ID_MAX_CHARS} characters` });
  if (request.holdSeconds > HOLD_MAX_SECONDS)
    problems.push({ path: 'hold_seconds', message: `may be ${HOLD_MAX_SECONDS}` });
  if (charge === undefined || problems.length > 0) throw validationFailed(problems);
  return charge;
}

function sameCharge(known: ChargeRow | null, charge: ChargeName): ChargeRow {
  // Another transaction made it and gave up, or it was erased: the caller's next try finds a clear state.
  if (known === null) throw new CairnError('unavailable', 'The charge is being changed.');
  if (known.charge !== charge)
    throw new CairnError('conflict', `The run is charged as ${known.charge}, not as ${charge}.`);
  return known;
}

function insufficient(charge: ChargeName, price: number, balance: number): CairnError {
  const shown = (microCredits: number) => String(microCredits / MICRO);
  return new CairnError(
    'insufficient_credits',
    `${charge} costs ${shown(price)} credits; ${shown(balance)} are left this month.`,
  );
}
