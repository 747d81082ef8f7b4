import {
  counter,
  durationHistogram,
  inSpan,
  isRecording,
  type GaugeSample,
  sampledGauge,
  startSampling,
} from '@cairn/telemetry';
import type pg from 'pg';

const connections = sampledGauge('cairn_db_connections', 'Connections of a pool to PostgreSQL, by what they do.', {
  labels: ['pool', 'state'],
  combine: 'sum',
});
const connectionsMax = sampledGauge('cairn_db_connections_max', 'Connections that a pool may hold.', {
  labels: ['pool'],
  combine: 'sum',
});
const waiting = sampledGauge('cairn_db_waiting', 'Transactions that wait for a connection.', {
  labels: ['pool'],
  combine: 'sum',
});
const acquiring = durationHistogram(
  'cairn_db_acquire_duration_seconds',
  'How long a transaction waited for a connection.',
  ['pool'],
);
const failures = counter('cairn_db_connection_failures_total', 'Connections that could not be had, or broke in use.', [
  'pool',
]);

/** What is counted of one pool; pools of one name are added up. */
interface PoolObserver {
  /** Waits for a connection. */
  acquired<T>(connecting: Promise<T>): Promise<T>;
  /** A connection broke while it was used. */
  broke(): void;
  close(): Promise<void>;
}

export function observePool(name: string, pool: pg.Pool, onIdleError?: (error: Error) => void): PoolObserver {
  pool.on('error', (error) => onIdleError?.(error));
  const labels = { pool: name };
  failures.inc(labels, 0);
  const sampling = startSampling({
    name: 'db_pool',
    cacheMs: 0,
    read: (): GaugeSample[] => [
      { gauge: connections, labels: { ...labels, state: 'in_use' }, value: pool.totalCount - pool.idleCount },
      { gauge: connections, labels: { ...labels, state: 'idle' }, value: pool.idleCount },
      { gauge: connectionsMax, labels, value: pool.options.max },
      { gauge: waiting, labels, value: pool.waitingCount },
    ],
  });
  return {
    async acquired(connecting) {
      const startedMs = performance.now();
      try {
        return await connecting;
      } catch (error) {
        failures.inc(labels);
        throw error;
      } finally {
        acquiring.observe(labels, (performance.now() - startedMs) / 1_000);
      }
    },
    broke: () => failures.inc(labels),
    close: sampling.close,
  };
}

/**
 * Runs a statement in a span under its name, if what sends it is traced. Statements without a name are called by their
 * first word: a span never holds a statement's text or parameters.
 */
export function observeStatement<T>(statement: { name?: string; text: string }, send: () => Promise<T>): Promise<T> {
  if (!isRecording()) return send();
  const verb = /^\s*(\w+)/.exec(statement.text)?.[1]?.toUpperCase() ?? 'SQL';
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': statement.name ?? verb };
  return inSpan(statement.name ?? verb, { kind: 'client', attributes }, send);
}
