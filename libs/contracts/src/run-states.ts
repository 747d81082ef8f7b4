export const RUN_KINDS = ['web', 'crawler', 'people', 'company', 'research', 'deep_search'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export const RUN_STATUSES = [
  'awaiting_connection',
  'queued',
  'running',
  'awaiting_clarification',
  'completed',
  'failed',
  'cancelled',
  'expired',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
