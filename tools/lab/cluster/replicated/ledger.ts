/** What the client did and saw, from which the invariants are judged at the end. */
export interface Ledger {
  /** External ids of documents whose ingestion was acknowledged, with the id that each got. */
  ingested: Map<string, string>;
  /** Every delivery that the receiver took: which event about which document. */
  delivered: { docId: string; eventId: string }[];
  /** Keys whose DELETE was answered with 200, and how often each was admitted afterwards. */
  revoked: Map<string, { admittedAfterwards: number }>;
  /** Model calls that were published, one for each event id however often it was sent. */
  modelCalls: Set<string>;
  /** Runs that were started. */
  runs: Set<string>;
  /** Answers that a client may not repeat its request after, by status and operation. */
  failures: string[];
  /** Times on one clock, in milliseconds. */
  acknowledgedAtMs: number[];
  deliveredAtMs: number[];
  requests: number;
  /** Requests that were sent again, by what they had met. */
  repeated: Map<string, number>;
}

/** What the cluster holds when everything has come to rest. */
export interface FinalState {
  /** Documents by external id; a second id for one external id is a double. */
  documents: { externalId: string; docId: string; status: string }[];
  /** Model calls that usage has counted. */
  countedCalls: number;
  /** Rows of roll-ups that differ from what their calls add up to. */
  differingRollups: number;
  runs: { runId: string; status: string }[];
  credits: { granted: number; balance: number; charged: number; reserved: number };
}

export interface Violation {
  invariant: Invariant;
  detail: string;
}

export const INVARIANTS = {
  'no acknowledged ingest lost': 'every document that was answered with 202 is there and completed',
  'no ingest doubled': 'an external id has one document',
  'deliveries not lost': 'every completed document was told to the webhook',
  'events not doubled': 'a document was told under one event id',
  'no revoked key admitted': 'no request that was sent after the DELETE was answered got anything but a refusal',
  'usage counted once': 'as many calls are counted as were published, however often, and roll-ups equal their sums',
  'runs complete': 'every run that was started has completed',
  'credits balance': 'what was granted less what was charged is the balance, and nothing is reserved any more',
  'no failure without a repeat': 'no request failed in a way that a client may not repeat it',
} as const;
type Invariant = keyof typeof INVARIANTS;

/** Every invariant that does not hold. */
export function judge(ledger: Ledger, state: FinalState): Violation[] {
  const violations: Violation[] = [];
  const add = (invariant: Invariant, detail: string) => violations.push({ invariant, detail });
  const byExternalId = Map.groupBy(state.documents, ({ externalId }) => externalId);
  const told = Map.groupBy(ledger.delivered, ({ docId }) => docId);
  for (const [externalId, docId] of ledger.ingested) {
    const found = byExternalId.get(externalId)?.find((document) => document.docId === docId);
    if (found === undefined) add('no acknowledged ingest lost', `${externalId} (${docId}) is not there`);
    else if (found.status !== 'completed') add('no acknowledged ingest lost', `${externalId} is ${found.status}`);
    if (!told.has(docId)) add('deliveries not lost', `${externalId} (${docId}) was never delivered`);
  }
  for (const [externalId, documents] of byExternalId)
    if (documents.length > 1) add('no ingest doubled', `${externalId} has ${documents.length} documents`);
  for (const [docId, deliveries] of told) {
    const events = new Set(deliveries.map(({ eventId }) => eventId));
    if (events.size > 1) add('events not doubled', `${docId} has ${events.size} events`);
  }
  for (const [keyId, { admittedAfterwards }] of ledger.revoked)
    if (admittedAfterwards > 0) add('no revoked key admitted', `${keyId} was admitted ${admittedAfterwards} times`);
  if (state.countedCalls !== ledger.modelCalls.size)
    add('usage counted once', `${ledger.modelCalls.size} calls were published, ${state.countedCalls} are counted`);
  if (state.differingRollups > 0)
    add('usage counted once', `${state.differingRollups} roll-ups differ from their calls`);
  const status = new Map(state.runs.map((run) => [run.runId, run.status]));
  for (const runId of ledger.runs)
    if (status.get(runId) !== 'completed') add('runs complete', `${runId} is ${status.get(runId) ?? 'not there'}`);
  const { granted, balance, charged, reserved } = state.credits;
  // Amounts are shown with at most four decimals.
  if (Math.abs(granted - charged - balance) > 0.0001)
    add('credits balance', `${granted} granted less ${charged} charged is not ${balance}`);
  if (reserved > 0) add('credits balance', `${reserved} are still reserved`);
  for (const failure of ledger.failures) add('no failure without a repeat', failure);
  return violations;
}

/** The longest pause between two of the times from `fromMs` on, in milliseconds; pauses that begin before it count from it. */
export function longestGap(times: readonly number[], fromMs: number, toMs: number): number {
  let longest = 0;
  let last = fromMs;
  for (const time of times) {
    if (time < fromMs) continue;
    longest = Math.max(longest, Math.min(time, toMs) - last);
    last = time;
    if (time >= toMs) return longest;
  }
  return Math.max(longest, toMs - last);
}

export function emptyLedger(): Ledger {
  return {
    ingested: new Map(),
    delivered: [],
    revoked: new Map(),
    modelCalls: new Set(),
    runs: new Set(),
    failures: [],
    acknowledgedAtMs: [],
    deliveredAtMs: [],
    requests: 0,
    repeated: new Map(),
  };
}
