import type { Tx } from '@cairn/postgres';
import type { DatabaseService } from '../up/engines.ts';
import { type Finding, ok, warning } from './finding.ts';

interface QueueCheck {
  service: DatabaseService;
  /** As `cairn_queue_…` calls it. */
  name: string;
  /** Number of entries, and since when the oldest is due in seconds. */
  sql: string;
  oldestMaxSeconds: number;
  /** The alert whose runbook helps. */
  alert: string;
}

const OUTBOX_MAX_SECONDS = 120;

const QUEUES: readonly QueueCheck[] = [
  {
    service: 'memory',
    name: 'ingest',
    sql: 'SELECT count(*), extract(epoch FROM now() - min(queued_at))::float8 AS oldest FROM memory.ingest_queue',
    oldestMaxSeconds: 900,
    alert: 'CairnIngestStuck',
  },
  {
    service: 'memory',
    name: 'embedding',
    sql: 'SELECT count(*), extract(epoch FROM now() - min(due_at))::float8 AS oldest FROM memory.embedding_queue',
    oldestMaxSeconds: 1_800,
    alert: 'CairnQueueStuck',
  },
  {
    service: 'tenancy',
    name: 'tenancy_jobs',
    sql: 'SELECT count(*), extract(epoch FROM now() - min(created_at))::float8 AS oldest FROM tenancy.jobs',
    oldestMaxSeconds: 1_800,
    alert: 'CairnQueueStuck',
  },
  {
    service: 'webhooks',
    name: 'webhook_deliveries',
    sql: `SELECT count(*), extract(epoch FROM now() - min(due_at))::float8 AS oldest
            FROM webhooks.delivery_queue WHERE due_at <= now()`,
    oldestMaxSeconds: 1_800,
    alert: 'CairnQueueStuck',
  },
  {
    service: 'research',
    name: 'research_runs',
    sql: `SELECT count(*), extract(epoch FROM now() - min(coalesce(wake_at, created_at)))::float8 AS oldest
            FROM research.runs WHERE status = 'queued'`,
    oldestMaxSeconds: 1_800,
    alert: 'CairnQueueStuck',
  },
  {
    service: 'keys',
    name: 'revocations',
    sql: 'SELECT count(*), extract(epoch FROM now() - min(begun_at))::float8 AS oldest FROM keys.open_denials',
    oldestMaxSeconds: 60,
    alert: 'CairnRevocationsStuck',
  },
];

/** Whether anything waits for longer than it should, in the queues and outboxes of the services. */
export async function checkQueues(tx: Tx, services: readonly DatabaseService[]): Promise<Finding[]> {
  const outboxes: QueueCheck[] = services.map((service) => ({
    service,
    name: `outbox of ${service}`,
    sql: `SELECT count(*), extract(epoch FROM now() - min(created_at))::float8 AS oldest FROM ${service}.outbox`,
    oldestMaxSeconds: OUTBOX_MAX_SECONDS,
    alert: 'CairnOutboxStuck',
  }));
  const findings: Finding[] = [];
  for (const queue of [...outboxes, ...QUEUES.filter(({ service }) => services.includes(service))]) {
    const [state] = await tx.query<{ count: number; oldest: number | null }>(queue.sql);
    findings.push(queueFinding(queue, state!));
  }
  return findings;
}

export function queueFinding(
  queue: Pick<QueueCheck, 'name' | 'oldestMaxSeconds' | 'alert'>,
  { count, oldest }: { count: number; oldest: number | null },
): Finding {
  const check = `queue ${queue.name}`;
  const seconds = Math.max(0, Math.round(oldest ?? 0));
  if (count === 0) return ok(check, 'Nothing waits.');
  const message = `${count} wait, the oldest for ${seconds} s.`;
  return seconds > queue.oldestMaxSeconds
    ? warning(check, message, `See ${queue.alert} in docs/operations.md.`)
    : ok(check, message);
}
