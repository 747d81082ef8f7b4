import type {
  CredentialKind,
  Event,
  EventKind,
  RunKind,
  RunStatus,
  StreamEvent,
  StreamPayload,
} from '@cairn/contracts';

type Payload = Event['payload'];
type ValueOf<Kind extends EventKind> = Extract<Payload, { case: Kind }>['value'];

/** One of the events with the payload that the contract gives it. */
type PublicPayload = {
  [Event in StreamEvent]: { event: Event; vaultIds?: readonly string[]; payload: StreamPayload<Event> };
}[StreamEvent];

/** How each kind is shown; null: to nobody. A kind that is added to the contract and not mentioned here does not compile. */
const PUBLIC_PAYLOADS: { [Kind in EventKind]: ((value: ValueOf<Kind>) => PublicPayload) | null } = {
  ingestCompleted: ({ docId, vaultId, title, chunks }) => ({
    event: 'memory.ingest.completed',
    vaultIds: [vaultId],
    payload: { doc_id: docId, vault_id: vaultId, title, chunks },
  }),
  dlpFlagged: ({ docId, vaultId, findings }) => ({
    event: 'memory.ingest.dlp_flagged',
    vaultIds: [vaultId],
    payload: { doc_id: docId, vault_id: vaultId, findings: findings.map(({ kind, count }) => ({ kind, count })) },
  }),
  autoRouted: ({ docId, vaultId, spaceId, confidence, needsReview }) => ({
    event: 'memory.ingest.auto_routed',
    vaultIds: [vaultId],
    payload: {
      doc_id: docId,
      vault_id: vaultId,
      space_id: spaceId === '' ? null : spaceId,
      confidence,
      needs_review: needsReview,
    },
  }),
  entityCreated: ({ entityId, name, type, vaultIds }) => ({
    event: 'memory.entity.created',
    vaultIds,
    payload: { entity_id: entityId, name, type },
  }),
  contradictionDetected: ({ contradictionId, entityId, relation, facts }) => ({
    event: 'memory.entity.contradiction_detected',
    vaultIds: [...new Set(facts.map((fact) => fact.vaultId))],
    payload: {
      contradiction_id: contradictionId,
      entity_id: entityId,
      relation,
      facts: facts.map((fact) => ({ fact_id: fact.factId, value: fact.value, doc_id: fact.docId })),
    },
  }),
  contradictionResolved: ({ contradictionId, winner, resolvedBy }) => ({
    event: 'memory.entity.contradiction_resolved',
    payload: { contradiction_id: contradictionId, winner, resolved_by: resolvedBy },
  }),
  healthAssessed: ({ score, parts }) => ({ event: 'memory.health.assessed', payload: { score, parts } }),
  documentsQueued: ({ docIds, vaultId }) => ({
    event: 'memory.document.queued',
    vaultIds: [vaultId],
    payload: { doc_ids: docIds, vault_id: vaultId },
  }),
  documentsDeleted: ({ docIds, vaultId }) => ({
    event: 'memory.document.deleted',
    vaultIds: [vaultId],
    payload: { doc_ids: docIds, vault_id: vaultId },
  }),
  documentFailed: ({ docId, vaultId, title, code, message }) => ({
    event: 'memory.document.failed',
    vaultIds: [vaultId],
    payload: { doc_id: docId, vault_id: vaultId, title, error: { code, message } },
  }),
  runStatusChanged: ({ threadId, kind, status }) => ({
    event: 'research.run.status_changed',
    payload: { thread_id: threadId, kind: kind as RunKind, status: status as RunStatus },
  }),
  keyCreated: ({ keyId, kind }) => ({
    event: 'credential.created',
    payload: { credential_id: keyId, kind: kind as CredentialKind },
  }),
  keyRevoked: ({ keyId }) => ({ event: 'credential.revoked', payload: { credential_id: keyId } }),
  tenantChanged: null,
  workspaceCreated: null,
  workspaceDeleted: null,
  memoryCreated: null,
  memoryChanged: null,
  spaceCreated: null,
  spaceDeleted: null,
  llmUsage: null,
  auditRecorded: null,
};

/** The event with the API's names; null for one that is sent to nobody, or of a kind that this version does not know. */
export function publicPayload(payload: Payload): PublicPayload | null {
  if (payload.case === undefined) return null;
  const show = PUBLIC_PAYLOADS[payload.case] as ((value: Payload['value']) => PublicPayload) | null;
  return show === null ? null : show(payload.value);
}
