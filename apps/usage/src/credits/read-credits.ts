import type * as operations from '@cairn/contracts';
import { type Database, nextCursorOf, pageOf, type Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { monthAfter, monthAt } from '../months/month.ts';
import { type Account, balanceOf, findAccount, MICRO } from '../stores/account-store.ts';
import type { EnsureTenant } from '../tenants/ensure-tenant.ts';
import { findTenant } from '../stores/tenant-store.ts';

export interface ReadCreditsDeps {
  database: Database;
  ensureTenant: EnsureTenant;
  now: () => Date;
}

type CreditsResponse = JsonResponse<typeof operations.readCredits>;
type Entry = CreditsResponse['body']['ledger'][number];

/** The balance of the month and the entries that explain it: granted − reserved − settled − llm, no entry left out. */
export async function readCredits(
  deps: ReadCreditsDeps,
  context: RequestContext<typeof operations.readCredits>,
): Promise<CreditsResponse> {
  const { identity, query } = context;
  const { tenantId } = identity;
  await deps.ensureTenant(tenantId);
  const month = monthAt(deps.now());
  const page = pageOf(query);
  const before = page.after === '' ? null : positionOf(page.after);
  const { account, rows } = await deps.database.withTenant(
    tenantId,
    async (tx) => ({
      account: await accountOf(tx, tenantId, month),
      rows: await ledgerRows(tx, tenantId, month, { before, fetch: page.fetch }),
    }),
    { mode: 'snapshot' },
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => `${row.at_us}.${row.id}`);
  return {
    body: {
      balance: balanceOf(account) / MICRO,
      period: { from: `${month}T00:00:00.000Z`, to: `${monthAfter(month)}T00:00:00.000Z` },
      granted: account.granted / MICRO,
      reserved: account.reserved / MICRO,
      settled: account.settled / MICRO,
      llm: account.llm / MICRO,
      ledger: shown.map(entryOf),
      next_cursor,
    },
  };
}

/** The account of the month; while nothing has touched it, what the plan grants. */
async function accountOf(tx: Tx, tenantId: string, month: string): Promise<Account> {
  const account = await findAccount(tx, tenantId, month);
  if (account !== null) return account;
  const granted = (await findTenant(tx, tenantId))?.monthly_micro_credits ?? 0;
  return { granted, reserved: 0, settled: 0, llm: 0 };
}

interface LedgerRow {
  charge: string;
  thread_id: string | null;
  micro_credits: number;
  state: Entry['state'];
  at: Date;
  /** Microseconds since the epoch, and a name that is unique in the ledger: the sort key. */
  at_us: string;
  id: string;
}

interface Position {
  atUs: string;
  id: string;
}

function positionOf(cursor: string): Position {
  const dot = cursor.indexOf('.');
  return { atUs: cursor.slice(0, dot), id: cursor.slice(dot + 1) };
}

const LEDGER = `
  SELECT charge, run_id AS thread_id, micro_credits, state, reserved_at AS at, 'run/' || run_id AS id
    FROM charges WHERE tenant_id = $1 AND month = $2
  UNION ALL
  SELECT 'plan.credits', NULL, micro_credits, 'granted', granted_at, 'grant/' || grant_id
    FROM credit_grants WHERE tenant_id = $1 AND month = $2
  UNION ALL
  SELECT 'plan.credits', NULL, monthly_micro_credits, 'granted', $2::timestamp AT TIME ZONE 'UTC', 'grant/plan'
    FROM tenants WHERE tenant_id = $1 AND monthly_micro_credits > 0
     AND NOT EXISTS (SELECT FROM credit_accounts WHERE tenant_id = $1 AND month = $2)
  UNION ALL
  SELECT 'llm.usage', NULL, sum(micro_credits)::bigint, 'settled', day::timestamp AT TIME ZONE 'UTC', 'llm/' || day
    FROM llm_rollups
   WHERE tenant_id = $1 AND dimension = 'tenant' AND id = '' AND day >= $2 AND day < $2::date + interval '1 month'
   GROUP BY day HAVING sum(micro_credits) > 0`;

async function ledgerRows(
  tx: Tx,
  tenantId: string,
  month: string,
  page: { before: Position | null; fetch: number | null },
): Promise<LedgerRow[]> {
  return tx.query<LedgerRow>(
    `SELECT * FROM (
       SELECT entry.*, (extract(epoch FROM at) * 1000000)::bigint AS at_us FROM (${LEDGER}) AS entry
     ) AS keyed
      WHERE $3::bigint IS NULL OR (at_us, id COLLATE "C") < ($3::bigint, $4)
      ORDER BY at_us DESC, id COLLATE "C" DESC LIMIT $5`,
    [tenantId, month, page.before?.atUs ?? null, page.before?.id ?? null, page.fetch],
  );
}

function entryOf(row: LedgerRow): Entry {
  return {
    charge: row.charge,
    thread_id: row.thread_id,
    credits: row.micro_credits / MICRO,
    state: row.state,
    at: row.at.toISOString(),
  };
}
