import type { RowId } from './contract.ts';

interface Proof {
  file: string;
  /** A part of the spec’s name. */
  spec: string;
}

/** Rows whose proof needs more than a user has: a process that is killed, a clock, the files of the installation. */
export const PROVED_ELSEWHERE: Readonly<Partial<Record<RowId, Proof>>> = {
  'Memory.dedicated': {
    file: 'e2e/tests/dedicated-memory.spec.ts',
    spec: 'is searchable as a shared one, and its documents are in no other server',
  },
  'D0.idempotency kill': {
    file: 'apps/tenancy/tests/spaces.spec.ts',
    spec: 'is done once for 20 parallel requests with one Idempotency-Key over two replicas',
  },
  'D0.docs': {
    file: 'e2e/tests/documentation.spec.ts',
    spec: 'do what they say: every snippet marked `run` runs',
  },
  'D1.5xx': { file: 'libs/errors/src/problem.spec.ts', spec: 'keeps internal text and cause of %s inside' },
  'D1.quota_exceeded': {
    file: 'e2e/tests/limits.spec.ts',
    spec: 'is never exceeded, and is used up to the last one after a gateway was killed',
  },
  'D1.unavailable': {
    file: 'apps/gateway/tests/denials.spec.ts',
    spec: 'what is cached goes on, everything else is 503 with Retry-After and never let through',
  },
  'D2.storage': {
    file: 'e2e/tests/secrets.spec.ts',
    spec: 'no secret of any kind is in a file, log or stream after each was minted, used, misused and revoked',
  },
  'D3.dedicated': {
    file: 'e2e/tests/dedicated-memory.spec.ts',
    spec: 'leaves no orphan: as many servers and folders as memories',
  },
  'D5.stream error': { file: 'libs/service-kit/tests/streams.spec.ts', spec: "toEqual(['item', 'error'])" },
  'D8.auto replay': {
    file: 'apps/webhooks/tests/replaying.spec.ts',
    spec: 'delivers dead letters once the endpoint answers again, when that was chosen',
  },
  'D8.dead letters kept': {
    file: 'apps/webhooks/tests/erasing.spec.ts',
    spec: 'a dead letter stays for at least fourteen days',
  },
};
