import { counter, type GaugeSample, sampledGauge, startSampling } from '@cairn/telemetry';

const renewals = counter('cairn_lease_renewals_total', 'Requests for a lease or its renewal, by their outcome.', [
  'outcome',
]);
const lost = counter('cairn_lease_lost_total', 'Leases that were lost: caches were cleared, streams closed.');
const remaining = sampledGauge(
  'cairn_lease_remaining_seconds',
  'How long this gateway may use what it has cached without a renewal; 0 without a lease.',
  { combine: 'min' },
);

export function countLoss(): void {
  lost.inc();
}

/** Counts a request for the lease. */
export async function observeRenewal<T extends { granted: boolean }>(work: () => Promise<T>): Promise<T> {
  try {
    const response = await work();
    renewals.inc({ outcome: response.granted ? 'granted' : 'refused' });
    return response;
  } catch (error) {
    renewals.inc({ outcome: 'failed' });
    throw error;
  }
}

export function sampleLease(remainingMs: () => number): { close(): Promise<void> } {
  return startSampling({
    name: 'lease',
    cacheMs: 0,
    read: (): GaugeSample[] => [{ gauge: remaining, value: remainingMs() / 1_000 }],
  });
}
