import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { CredentialKind, Event, RunKind, RunStatus, StreamEvent, StreamPayload } from '@cairn/contracts';

type Payload = Event['payload'];

/** The form in which an event is delivered. */
export interface Envelope {
  event: StreamEvent;
  /** The vaults of the documents that it is about; empty when it is about none. */
  vaultIds: readonly string[];
  /** The JSON text, signed and sent as it is. */
  body: string;
}

interface Told {
  eventId: string;
  event: string;
  at: Date;
  livemode: boolean;
  tenantId: string;
  workspaceId: string;
  memoryId: string;
  payload: object;
}

/** What is sent of an event, with the API's names, in the order in which it is written. */
export function bodyOf(told: Told): Record<string, unknown> {
  const { eventId, event, at, livemode, tenantId, workspaceId, memoryId, payload } = told;
  return {
    event_id: eventId,
    event,
    occurred_at: at.toISOString(),
    livemode,
    scope: { tenant_id: tenantId, workspace_id: workspaceId, memory_id: memoryId },
    payload,
  };
}

/** The event as receivers see it, with the API's names; null for events that are told to nobody. */
export function envelopeOf(event: Event): Envelope | null {
  const shown = shownPayload(event.payload);
  if (shown === null) return null;
  const at = timestampDate(event.occurredAt!);
  const body = JSON.stringify(bodyOf({ ...event, event: shown.event, at, payload: shown.payload }));
  return { event: shown.event, vaultIds: shown.vaultIds ?? [], body };
}

/** One of the events with the payload that the contract gives it. */
type Shown = {
  [Event in StreamEvent]: { event: Event; vaultIds?: readonly string[]; payload: StreamPayload<Event> };
}[StreamEvent];

function shownPayload(payload: Payload): Shown | null {
  const { case: kind, value } = payload;
  switch (kind) {
    case 'ingestCompleted': {
      const { docId, vaultId, title, chunks } = value;
      return {
        event: 'memory.ingest.completed',
        vaultIds: [vaultId],
        payload: { doc_id: docId, vault_id: vaultId, title, chunks },
      };
    }
    case 'dlpFlagged': {
      const { docId, vaultId } = value;
      const findings = value.findings.map(({ kind: found, count }) => ({ kind: found, count }));
      return {
        event: 'memory.ingest.dlp_flagged',
        vaultIds: [vaultId],
        payload: { doc_id: docId, vault_id: vaultId, findings },
      };
    }
    case 'autoRouted': {
      const { docId, vaultId, spaceId, confidence, needsReview } = value;
      const space = spaceId === '' ? null : spaceId;
      return {
        event: 'memory.ingest.auto_routed',
        vaultIds: [vaultId],
        payload: { doc_id: docId, vault_id: vaultId, space_id: space, confidence, needs_review: needsReview },
      };
    }
    case 'entityCreated':
      return {
        event: 'memory.entity.created',
        vaultIds: value.vaultIds,
        payload: { entity_id: value.entityId, name: value.name, type: value.type },
      };
    case 'contradictionDetected': {
      const { contradictionId, entityId, relation } = value;
      const facts = value.facts.map((fact) => ({ fact_id: fact.factId, value: fact.value, doc_id: fact.docId }));
      return {
        event: 'memory.entity.contradiction_detected',
        vaultIds: [...new Set(value.facts.map((fact) => fact.vaultId))],
        payload: { contradiction_id: contradictionId, entity_id: entityId, relation, facts },
      };
    }
    case 'contradictionResolved': {
      const { contradictionId, winner, resolvedBy } = value;
      return {
        event: 'memory.entity.contradiction_resolved',
        payload: { contradiction_id: contradictionId, winner, resolved_by: resolvedBy },
      };
    }
    case 'healthAssessed':
      return { event: 'memory.health.assessed', payload: { score: value.score, parts: value.parts } };
    case 'documentsQueued':
    case 'documentsDeleted': {
      const { docIds, vaultId } = value;
      const event = kind === 'documentsQueued' ? 'memory.document.queued' : 'memory.document.deleted';
      return { event, vaultIds: [vaultId], payload: { doc_ids: docIds, vault_id: vaultId } };
    }
    case 'documentFailed': {
      const { docId, vaultId, title, code, message } = value;
      return {
        event: 'memory.document.failed',
        vaultIds: [vaultId],
        payload: { doc_id: docId, vault_id: vaultId, title, error: { code, message } },
      };
    }
    case 'runStatusChanged': {
      const { threadId, ...run } = value;
      const payload = { thread_id: threadId, kind: run.kind as RunKind, status: run.status as RunStatus };
      return { event: 'research.run.status_changed', payload };
    }
    case 'keyCreated':
      return {
        event: 'credential.created',
        payload: { credential_id: value.keyId, kind: value.kind as CredentialKind },
      };
    case 'keyRevoked':
      return { event: 'credential.revoked', payload: { credential_id: value.keyId } };
    case 'tenantChanged':
    case 'workspaceCreated':
    case 'workspaceDeleted':
    case 'memoryCreated':
    case 'memoryChanged':
    case 'spaceCreated':
    case 'spaceDeleted':
    case 'llmUsage':
    case 'auditRecorded':
    // Of a kind that this version does not know.
    case undefined:
      return null;
    default:
      // A kind of event that was added to the contract and is not mentioned above does not compile.
      return kind satisfies never;
  }
}

/** The body of a test ping. */
export function testBody({
  webhookId,
  ...ping
}: Pick<Told, 'eventId' | 'event' | 'tenantId' | 'livemode' | 'at'> & { webhookId: string }): string {
  return JSON.stringify(bodyOf({ ...ping, workspaceId: '', memoryId: '', payload: { webhook_id: webhookId } }));
}
