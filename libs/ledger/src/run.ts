/** What a run is doing. `held` waits to be released, `waiting` for a message; the last four are for good. */
export type LedgerStatus = 'held' | 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'expired';

export type EndStatus = Extract<LedgerStatus, 'completed' | 'failed' | 'cancelled' | 'expired'>;

export const ENDED: readonly LedgerStatus[] = ['completed', 'failed', 'cancelled', 'expired'];

export interface RunRow {
  tenant_id: string;
  run_id: string;
  kind: string;
  status: LedgerStatus;
  input: Record<string, unknown>;
  result: unknown;
  error: { code: string; message: string } | null;
  owner: string | null;
  epoch: number;
  attempts: number;
  /** Times it stalled or ended its process since it last kept a step. */
  stalls: number;
  vouched: boolean;
  wake_at: Date | null;
  last_seq: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

/** Something a run tells; it gets its number when it is committed. */
export interface NewEvent {
  type: string;
  data: Record<string, unknown>;
}

export interface RunEventRow extends NewEvent {
  seq: number;
  at: Date;
}

/** The work ends the run for good, with words its owner may read. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
