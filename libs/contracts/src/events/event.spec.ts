import { describe, expect, it } from '@jest/globals';
import { fromBinary } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  DEAD_LETTER_SUBJECT_ROOT,
  decodeEvent,
  encodeEvent,
  EVENT_SUBJECT_ROOT,
  EVENT_SUBJECTS,
  type EventKind,
} from './event.ts';
import { EventSchema } from '../gen/cairn/events/v1/events_pb.ts';
import { idPattern } from '../ids.ts';

const SCOPE = { tenantId: 'tnt_1', livemode: false, workspaceId: 'ws_1', memoryId: 'mem_1' };
const AT = new Date('2026-11-05T12:00:00.123Z');

const TARGETS = [{ name: 'key_id', id: 'key_2' }];

const SAMPLES = {
  tenantChanged: {
    revision: 9_007_199_254_740_993n,
    plan: 'team',
    status: 'active',
    requestsPerSecond: 0.5,
    burst: 7,
    twinOf: 'tnt_2',
    monthlyCredits: 1_000n,
  },
  workspaceCreated: { name: 'Grüße 工', primaryMemoryId: 'mem_2' },
  memoryCreated: { displayName: 'Handbook', type: 'shared', rootVaultId: 'vlt_1' },
  keyCreated: { keyId: 'key_1', kind: 'test' },
  workspaceDeleted: {},
  memoryChanged: { status: 'deleting' },
  spaceCreated: { spaceId: 'spc_1', vaultId: 'vlt_1' },
  spaceDeleted: { spaceId: 'spc_1', vaultId: 'vlt_1' },
  keyRevoked: { keyId: 'key_1', revokedAt: timestampFromDate(AT) },
  ingestCompleted: { docId: 'doc_1', vaultId: 'vlt_1', title: 'Über "alles"', chunks: 4_000_000_000 },
  dlpFlagged: { docId: 'doc_1', vaultId: 'vlt_1', findings: [{ kind: 'email', count: 3 }] },
  autoRouted: { docId: 'doc_1', vaultId: 'vlt_1', spaceId: '', confidence: 0.25, needsReview: true },
  entityCreated: { entityId: 'ent_1', name: 'Zoë', type: 'person' },
  contradictionDetected: {
    contradictionId: 'con_1',
    entityId: 'ent_1',
    relation: 'born_in',
    facts: [{ factId: 'rel_1', value: '1970', docId: 'doc_1' }],
  },
  contradictionResolved: { contradictionId: 'con_1', winner: 'both', resolvedBy: 'key_1' },
  healthAssessed: { score: 87.5, parts: { freshness: 100, orphan_rate: 0.25 } },
  auditRecorded: {
    auditId: 'aud_1',
    operation: 'createApiKey',
    actorId: 'key_1',
    actorKind: 'live',
    credentialId: 'key_1',
    requestId: 'req_1',
    clientAddress: '2001:db8::1',
    targets: TARGETS,
    status: 201,
    answered: true,
  },
  documentsQueued: { docIds: ['doc_1', 'doc_2'], vaultId: 'vlt_1' },
  documentFailed: { docId: 'doc_1', vaultId: 'vlt_1', title: 'Zoë', code: 'unreadable', message: 'Damaged.' },
  documentsDeleted: { docIds: ['doc_1'], vaultId: 'vlt_1' },
  runStatusChanged: { threadId: 'thr_1', kind: 'research', status: 'awaiting_clarification' },
  llmUsage: {
    workspaceId: 'ws_1',
    memoryId: 'mem_1',
    spaceId: 'spc_1',
    conversationId: 'thr_1',
    user: 'Zoë',
    apiKeyId: 'key_1',
    provider: 'openai',
    model: 'gpt-5.2',
    byok: true,
    inputTokens: 9_007_199_254_740_993n,
    outputTokens: 2n,
    cachedInputTokens: 3n,
    cacheWriteTokens: 4n,
    reasoningTokens: 5n,
    runId: 'thr_2',
    purpose: 'answer',
    streamed: true,
    rawUsage: '{"prompt_tokens":1}',
  },
} as const satisfies Record<EventKind, object>;
const KINDS = Object.keys(EVENT_SUBJECTS) as EventKind[];

describe.each(KINDS)('the event %s', (kind) => {
  const encoded = encodeEvent(kind, SCOPE, SAMPLES[kind], AT);

  it('comes back as it was encoded', () => {
    const event = decodeEvent(encoded.payload);
    expect(event).toMatchObject({ ...SCOPE, eventId: encoded.eventId, payload: { case: kind, value: SAMPLES[kind] } });
    expect(timestampDate(event.occurredAt!)).toEqual(AT);
  });

  it('is published under its subject and scope, below the events’ root', () => {
    expect(encoded.subject).toBe(`${EVENT_SUBJECTS[kind]}.${SCOPE.tenantId}.${SCOPE.workspaceId}.${SCOPE.memoryId}`);
    expect(encoded.subject.startsWith(`${EVENT_SUBJECT_ROOT}.`)).toBe(true);
    expect(EVENT_SUBJECTS[kind]).toMatch(/^[a-z]+(?:\.[a-z_]+){4}$/);
    expect(encoded.subject.startsWith(DEAD_LETTER_SUBJECT_ROOT)).toBe(false);
  });

  it('has an id of its own and its tenant beside the bytes, for the outbox', () => {
    expect(encoded.eventId).toMatch(idPattern('event'));
    expect(encoded.tenantId).toBe(SCOPE.tenantId);
    expect(encodeEvent(kind, SCOPE, SAMPLES[kind], AT).eventId).not.toBe(encoded.eventId);
  });

  it('is read by who does not know all of its fields yet', () => {
    const unknownField = Buffer.from([0xfa, 0x7f, 0x01, 0x78]);
    const extended = Buffer.concat([encoded.payload, unknownField]);
    expect(fromBinary(EventSchema, extended).payload.case).toBe(kind);
  });
});

describe('subjects', () => {
  it('are one for each kind, and each kind has one', () => {
    expect(new Set(Object.values(EVENT_SUBJECTS)).size).toBe(KINDS.length);
    const kinds = EventSchema.oneofs.find(({ name }) => name === 'payload')!.fields.map((field) => field.localName);
    expect([...kinds].sort()).toEqual([...KINDS].sort());
  });
});

describe('encodeEvent', () => {
  it('leaves empty what the scope does not name', () => {
    const event = decodeEvent(
      encodeEvent('keyCreated', { tenantId: 't', livemode: true }, { keyId: 'k', kind: 'live' }).payload,
    );
    expect(event).toMatchObject({ workspaceId: '', memoryId: '', livemode: true });
  });
});
