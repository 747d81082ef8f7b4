import { encodeEvent } from '@cairn/contracts';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import type { LedgerStatus, RunRow } from '../ledger/run.ts';
import { findRecord, type NewRunRecord, statusOf } from './run-record.ts';

type Announced = Pick<NewRunRecord, 'tenant_id' | 'run_id' | 'kind' | 'workspace_id' | 'memory_id' | 'livemode'>;

/** Publishes the status that the run has from this transaction on. */
export async function announceRun(tx: Tx, record: Announced, status: LedgerStatus): Promise<void> {
  const { tenant_id: tenantId, workspace_id: workspaceId, memory_id: memoryId, livemode } = record;
  const changed = { threadId: record.run_id, kind: record.kind, status: statusOf({ status }) };
  await appendToOutbox(tx, encodeEvent('runStatusChanged', { tenantId, livemode, workspaceId, memoryId }, changed));
}

/** The same for a run of the ledger. */
export async function onStatusChanged(tx: Tx, run: Pick<RunRow, 'run_id'>, status: LedgerStatus): Promise<void> {
  const record = await findRecord(tx, run.run_id);
  if (record !== null) await announceRun(tx, record, status);
}
