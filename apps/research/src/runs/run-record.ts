import type { RunKind } from '@cairn/contracts';
import type { LedgerStatus, RunRow } from '../ledger/run.ts';
import type { Tx } from '@cairn/postgres';
import type { RunStatus } from '@cairn/contracts';

interface Criterion {
  criterion_id: string;
  kind: string;
  text: string;
}

type ChargeState = 'none' | 'reserved' | 'settling' | 'settled' | 'releasing' | 'released';

/** Research's own record of a run, beside the ledger's. */
export interface RunRecord {
  tenant_id: string;
  run_id: string;
  kind: RunKind;
  prompt: string;
  list_id: string | null;
  workspace_id: string;
  memory_id: string;
  livemode: boolean;
  key_id: string;
  credential_id: string;
  user_name: string;
  live_page: boolean;
  total_target: number | null;
  criteria: Criterion[];
  stage: string;
  percent: number;
  candidates: number;
  assumptions: string[];
  /** Where the documents lie whose titles its question offers. */
  offered_vaults: string[];
  brief: string;
  report: string;
  generated: boolean;
  input_tokens: number;
  output_tokens: number;
  cost_nano_usd: number;
  citations: unknown[];
  charge: string;
  micro_credits: number;
  charge_state: ChargeState;
  /** Characters that the run has read. */
  text_chars: number;
  texts_forgotten_at: Date | null;
  created_at: Date;
}

export type NewRunRecord = Pick<
  RunRecord,
  | 'tenant_id'
  | 'run_id'
  | 'kind'
  | 'prompt'
  | 'list_id'
  | 'workspace_id'
  | 'memory_id'
  | 'livemode'
  | 'key_id'
  | 'credential_id'
  | 'user_name'
  | 'live_page'
  | 'total_target'
  | 'charge'
  | 'micro_credits'
>;

export async function insertRecord(tx: Tx, record: NewRunRecord): Promise<void> {
  await tx.execute(
    `INSERT INTO research_runs (tenant_id, run_id, kind, prompt, list_id, workspace_id, memory_id, livemode, key_id,
                                credential_id, user_name, live_page, total_target, charge, micro_credits, charge_state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
             CASE WHEN $14 = '' THEN 'none' ELSE 'reserved' END)`,
    [
      record.tenant_id,
      record.run_id,
      record.kind,
      record.prompt,
      record.list_id,
      record.workspace_id,
      record.memory_id,
      record.livemode,
      record.key_id,
      record.credential_id,
      record.user_name,
      record.live_page,
      record.total_target,
      record.charge,
      record.micro_credits,
    ],
  );
}

export async function findRecord(tx: Tx, runId: string): Promise<RunRecord | null> {
  return (await tx.query<RunRecord>('SELECT * FROM research_runs WHERE run_id = $1', [runId]))[0] ?? null;
}

/** Fields that a workflow updates. */
export type RecordChanges = Partial<
  Pick<
    RunRecord,
    | 'criteria'
    | 'stage'
    | 'percent'
    | 'candidates'
    | 'assumptions'
    | 'offered_vaults'
    | 'brief'
    | 'report'
    | 'generated'
    | 'citations'
  >
>;

const JSON_FIELDS = new Set(['criteria', 'assumptions', 'citations']);
const CHANGEABLE = new Set([
  'criteria',
  'stage',
  'percent',
  'candidates',
  'assumptions',
  'offered_vaults',
  'brief',
  'report',
  'generated',
  'citations',
]);

export async function changeRecord(tx: Tx, runId: string, changes: RecordChanges): Promise<void> {
  const entries = Object.entries(changes).filter(([name, value]) => CHANGEABLE.has(name) && value !== undefined);
  if (entries.length === 0) return;
  const assignments = entries.map(([name], index) => `${name} = $${index + 2}`);
  const values = entries.map(([name, value]) => (JSON_FIELDS.has(name) ? JSON.stringify(value) : value));
  await tx.execute(`UPDATE research_runs SET ${assignments.join(', ')} WHERE run_id = $1`, [runId, ...values]);
}

/** The public names of the ledger's states. */
const PUBLIC_STATUS: Readonly<Record<LedgerStatus, RunStatus>> = {
  held: 'awaiting_connection',
  queued: 'queued',
  running: 'running',
  waiting: 'awaiting_clarification',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
};

export function statusOf(run: Pick<RunRow, 'status'>): RunStatus {
  return PUBLIC_STATUS[run.status];
}

/** The ledger's word for a public status. */
export function ledgerStatusOf(status: RunStatus): LedgerStatus {
  const [found] = Object.entries(PUBLIC_STATUS).find(([, shown]) => shown === status)!;
  return found as LedgerStatus;
}

const MICRO = 1_000_000;

/** What a run costs, in credits; nothing when its charge was released. */
export function creditsOf({ charge_state, micro_credits }: Pick<RunRecord, 'charge_state' | 'micro_credits'>): number {
  return charge_state === 'released' || charge_state === 'releasing' ? 0 : micro_credits / MICRO;
}
