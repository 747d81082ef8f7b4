import { beforeEach, describe, expect, it } from '@jest/globals';
import { emptyLedger, type FinalState, INVARIANTS, judge, type Ledger, longestGap } from './ledger.ts';

let ledger: Ledger;
let state: FinalState;
beforeEach(() => {
  ledger = emptyLedger();
  ledger.ingested.set('a', 'doc_a').set('b', 'doc_b');
  // A repeat under the same event id is no fault.
  ledger.delivered.push(
    { docId: 'doc_a', eventId: 'evt_a' },
    { docId: 'doc_a', eventId: 'evt_a' },
    { docId: 'doc_b', eventId: 'evt_b' },
  );
  ledger.revoked.set('key_a', { admittedAfterwards: 0 });
  ledger.modelCalls.add('evt_c');
  ledger.runs.add('run_a');
  state = {
    documents: [
      { externalId: 'a', docId: 'doc_a', status: 'completed' },
      { externalId: 'b', docId: 'doc_b', status: 'completed' },
    ],
    countedCalls: 1,
    differingRollups: 0,
    runs: [{ runId: 'run_a', status: 'completed' }],
    credits: { granted: 1_000, balance: 989.91, charged: 10.09, reserved: 0 },
  };
});

/** A fault of each kind, as the cluster would have it. */
const FAULTS: [string, keyof typeof INVARIANTS, () => unknown][] = [
  ['a document is gone', 'no acknowledged ingest lost', () => state.documents.pop()],
  ['a document never completes', 'no acknowledged ingest lost', () => (state.documents[0]!.status = 'queued')],
  [
    'a document is duplicated',
    'no ingest doubled',
    () => state.documents.push({ externalId: 'a', docId: 'doc_z', status: 'completed' }),
  ],
  ['a delivery is lost', 'deliveries not lost', () => ledger.delivered.pop()],
  ['an event has two ids', 'events not doubled', () => ledger.delivered.push({ docId: 'doc_a', eventId: 'evt_z' })],
  ['a revoked key passes', 'no revoked key admitted', () => (ledger.revoked.get('key_a')!.admittedAfterwards = 1)],
  ['a call is counted twice', 'usage counted once', () => (state.countedCalls = 2)],
  ['a call is not counted', 'usage counted once', () => (state.countedCalls = 0)],
  ['a roll-up is wrong', 'usage counted once', () => (state.differingRollups = 1)],
  ['a run fails', 'runs complete', () => (state.runs[0]!.status = 'failed')],
  ['a run is gone', 'runs complete', () => state.runs.pop()],
  ['a charge is taken twice', 'credits balance', () => (state.credits.balance -= 10)],
  ['a reservation stays', 'credits balance', () => (state.credits.reserved = 10)],
  ['a request gets 500', 'no failure without a repeat', () => ledger.failures.push('500 for search')],
];

describe('the invariants of a cluster', () => {
  it('hold when nothing is wrong, repeats under the same id included', () => {
    expect(judge(ledger, state)).toEqual([]);
  });

  it.each(FAULTS)('when %s: %s fails, and it alone', (_what, invariant, plant) => {
    plant();
    expect([...new Set(judge(ledger, state).map((violation) => violation.invariant))]).toEqual([invariant]);
  });

  it('can each fail', () => {
    expect(new Set(FAULTS.map(([, invariant]) => invariant))).toEqual(new Set(Object.keys(INVARIANTS)));
  });
});

describe('the longest gap', () => {
  it('counts from the fault, and to the end of the scenario when nothing came any more', () => {
    expect(longestGap([10, 20, 50, 60], 15, 70)).toBe(30);
    expect(longestGap([10, 20], 15, 100)).toBe(80);
    expect(longestGap([10], 15, 100)).toBe(85);
    expect(longestGap([10, 200], 15, 100)).toBe(85);
  });
});
