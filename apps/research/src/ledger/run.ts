/** The state of a run. `held` waits to be released, `waiting` for a message; the last four are final. */
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
  /** Times it stalled or ended its process since it last completed a step. */
  stalls: number;
  vouched: boolean;
  wake_at: Date | null;
  last_seq: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

/** An event of a run. It receives its sequence number when it is committed. */
export interface NewEvent {
  type: string;
  data: Record<string, unknown>;
}

export interface RunEventRow extends NewEvent {
  seq: number;
  at: Date;
}

/** Thrown by the work to fail the run for good, with a public message. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
