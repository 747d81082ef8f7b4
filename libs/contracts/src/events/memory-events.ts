import { z } from 'zod';
import type {
  AutoRouted,
  ContradictionDetected,
  ContradictionResolved,
  DlpFlagged,
  DocumentFailed,
  DocumentsDeleted,
  DocumentsQueued,
  EntityCreated,
  HealthAssessed,
  IngestCompleted,
} from '../gen/cairn/events/v1/events_pb.ts';
import { definePublicEvent, type EventDeclarations } from './event-declaration.ts';

const DOCUMENTS = { app: 'memory', scope: 'documents:read' } as const;
const GRAPH = { app: 'memory', scope: 'graph:read' } as const;

const docIdField = z.string().meta({ description: 'The document.' });
const vaultIdField = z.string().meta({ description: 'The vault that the document lies in: of a space, or the root.' });

const DOC = 'doc_ChDhyTHs92sYSupMCpKFy';
const VAULT = 'vlt_ChDhyTF3yVnCDhrBV3bMo';
const ENTITY = 'ent_ChDhyTJHqYTqkzKUoQwEh';
const CONTRADICTION = 'con_ChDhyTKWcKPbxeBPtBqMz';
const FACTS = ['rel_ChDhyTLFkSm6Qz2mXwPnA', 'rel_ChDhyTM5eVaKx8JcJ4yTd'] as const;

/** What happens in a memory. */
export const MEMORY_EVENTS = {
  ingestCompleted: {
    subject: 'cairn.event.memory.ingest.completed',
    publishers: ['memory'],
    public: definePublicEvent({
      event: 'memory.ingest.completed',
      sentTo: 'webhooks',
      ...DOCUMENTS,
      description: 'A document is indexed and can be found.',
      payload: z.strictObject({
        doc_id: docIdField,
        vault_id: vaultIdField,
        title: z.string(),
        chunks: z.number().int().meta({ description: 'Passages that it was divided into.' }),
      }),
      example: { doc_id: DOC, vault_id: VAULT, title: 'Minutes of 3 November', chunks: 4 },
      vaultIds: ({ vaultId }: IngestCompleted) => [vaultId],
      toPayload: ({ docId, vaultId, title, chunks }: IngestCompleted) => ({
        doc_id: docId,
        vault_id: vaultId,
        title,
        chunks,
      }),
    }),
  },
  dlpFlagged: {
    subject: 'cairn.event.memory.ingest.dlp_flagged',
    publishers: ['memory'],
    public: definePublicEvent({
      event: 'memory.ingest.dlp_flagged',
      sentTo: 'webhooks',
      ...DOCUMENTS,
      description: 'Screening has masked something in a document. No value that was found is part of the event.',
      payload: z.strictObject({
        doc_id: docIdField,
        vault_id: vaultIdField,
        findings: z.array(
          z.strictObject({
            kind: z.string().meta({ description: 'What was masked, for instance `email` or `credit_card`.' }),
            count: z.number().int(),
          }),
        ),
      }),
      example: { doc_id: DOC, vault_id: VAULT, findings: [{ kind: 'email', count: 2 }] },
      vaultIds: ({ vaultId }: DlpFlagged) => [vaultId],
      toPayload: ({ docId, vaultId, findings }: DlpFlagged) => ({
        doc_id: docId,
        vault_id: vaultId,
        findings: findings.map(({ kind, count }) => ({ kind, count })),
      }),
    }),
  },
  autoRouted: {
    subject: 'cairn.event.memory.ingest.auto_routed',
    publishers: ['memory'],
    public: definePublicEvent({
      event: 'memory.ingest.auto_routed',
      sentTo: 'webhooks',
      ...DOCUMENTS,
      description: 'A document that named no space was given one, or was left in the root.',
      payload: z.strictObject({
        doc_id: docIdField,
        vault_id: vaultIdField,
        space_id: z.string().nullable().meta({ description: 'Null: the root.' }),
        confidence: z.number().meta({ description: '0 to 1.' }),
        needs_review: z.boolean(),
      }),
      example: {
        doc_id: DOC,
        vault_id: VAULT,
        space_id: 'spc_ChDhyTNq2YbM7fLr6dRsU',
        confidence: 0.82,
        needs_review: false,
      },
      vaultIds: ({ vaultId }: AutoRouted) => [vaultId],
      toPayload: ({ docId, vaultId, spaceId, confidence, needsReview }: AutoRouted) => ({
        doc_id: docId,
        vault_id: vaultId,
        space_id: spaceId === '' ? null : spaceId,
        confidence,
        needs_review: needsReview,
      }),
    }),
  },
  entityCreated: {
    subject: 'cairn.event.memory.entity.created',
    publishers: ['memory'],
    public: definePublicEvent({
      event: 'memory.entity.created',
      sentTo: 'webhooks',
      ...GRAPH,
      description: 'An entity was named for the first time.',
      payload: z.strictObject({ entity_id: z.string(), name: z.string(), type: z.string() }),
      example: { entity_id: ENTITY, name: 'Ada Lovelace', type: 'person' },
      vaultIds: ({ vaultIds }: EntityCreated) => vaultIds,
      toPayload: ({ entityId, name, type }: EntityCreated) => ({ entity_id: entityId, name, type }),
    }),
  },
  contradictionDetected: {
    subject: 'cairn.event.memory.entity.contradiction_detected',
    publishers: ['memory'],
    public: definePublicEvent({
      event: 'memory.entity.contradiction_detected',
      sentTo: 'webhooks',
      ...GRAPH,
      description: 'Documents disagree about one relation of one entity.',
      payload: z.strictObject({
        contradiction_id: z.string(),
        entity_id: z.string(),
        relation: z.string(),
        facts: z.array(z.strictObject({ fact_id: z.string(), value: z.string(), doc_id: docIdField })),
      }),
      example: {
        contradiction_id: CONTRADICTION,
        entity_id: ENTITY,
        relation: 'founded_date',
        facts: [
          { fact_id: FACTS[0], value: '1987', doc_id: DOC },
          { fact_id: FACTS[1], value: '1992', doc_id: 'doc_ChDhyTPgVLxgFVEjEXSnB' },
        ],
      },
      vaultIds: ({ facts }: ContradictionDetected) => [...new Set(facts.map((fact) => fact.vaultId))],
      toPayload: ({ contradictionId, entityId, relation, facts }: ContradictionDetected) => ({
        contradiction_id: contradictionId,
        entity_id: entityId,
        relation,
        facts: facts.map(({ factId, value, docId }) => ({ fact_id: factId, value, doc_id: docId })),
      }),
    }),
  },
  contradictionResolved: {
    subject: 'cairn.event.memory.entity.contradiction_resolved',
    publishers: ['memory'],
    public: definePublicEvent({
      event: 'memory.entity.contradiction_resolved',
      sentTo: 'webhooks',
      ...GRAPH,
      description: 'Somebody, or later evidence, has decided which fact holds.',
      payload: z.strictObject({
        contradiction_id: z.string(),
        winner: z.string().meta({ description: 'The id of the fact that holds, or `both`.' }),
        resolved_by: z.string().meta({ description: 'The id of the key that decided, or `system`.' }),
      }),
      example: { contradiction_id: CONTRADICTION, winner: FACTS[1], resolved_by: 'system' },
      toPayload: ({ contradictionId, winner, resolvedBy }: ContradictionResolved) => ({
        contradiction_id: contradictionId,
        winner,
        resolved_by: resolvedBy,
      }),
    }),
  },
  healthAssessed: {
    subject: 'cairn.event.memory.health.assessed',
    publishers: ['memory'],
    public: definePublicEvent({
      event: 'memory.health.assessed',
      sentTo: 'webhooks',
      ...GRAPH,
      description: 'The health of a memory was assessed, and is another than before.',
      payload: z.strictObject({
        score: z.number().meta({ description: '0 to 100.' }),
        parts: z.record(z.string(), z.number()).meta({ description: 'As GET /api/v1/memory/health names them.' }),
      }),
      example: { score: 87.5, parts: { freshness: 100, orphan_rate: 0.25 } },
      toPayload: ({ score, parts }: HealthAssessed) => ({ score, parts }),
    }),
  },
  documentsQueued: {
    subject: 'cairn.event.memory.document.queued',
    publishers: ['memory'],
    public: definePublicEvent({
      event: 'memory.document.queued',
      sentTo: 'stream',
      ...DOCUMENTS,
      description:
        'Documents wait to be read: new ones, new versions, and ones that are tried again. One event for each request and vault.',
      payload: z.strictObject({ doc_ids: z.array(docIdField), vault_id: vaultIdField }),
      example: { doc_ids: [DOC], vault_id: VAULT },
      vaultIds: ({ vaultId }: DocumentsQueued) => [vaultId],
      toPayload: ({ docIds, vaultId }: DocumentsQueued) => ({ doc_ids: docIds, vault_id: vaultId }),
    }),
  },
  documentFailed: {
    subject: 'cairn.event.memory.document.failed',
    publishers: ['memory'],
    public: definePublicEvent({
      event: 'memory.document.failed',
      sentTo: 'stream',
      ...DOCUMENTS,
      description: 'A document could not be read, or not be indexed, and is not tried again by itself.',
      payload: z.strictObject({
        doc_id: docIdField,
        vault_id: vaultIdField,
        title: z.string(),
        error: z.strictObject({ code: z.string(), message: z.string() }),
      }),
      example: {
        doc_id: DOC,
        vault_id: VAULT,
        title: 'Minutes of 3 November',
        error: { code: 'broken_file', message: 'The file is damaged.' },
      },
      vaultIds: ({ vaultId }: DocumentFailed) => [vaultId],
      toPayload: ({ docId, vaultId, title, code, message }: DocumentFailed) => ({
        doc_id: docId,
        vault_id: vaultId,
        title,
        error: { code, message },
      }),
    }),
  },
  documentsDeleted: {
    subject: 'cairn.event.memory.document.deleted',
    publishers: ['memory'],
    public: definePublicEvent({
      event: 'memory.document.deleted',
      sentTo: 'stream',
      ...DOCUMENTS,
      description: 'Documents were deleted one by one, not with their space or memory.',
      payload: z.strictObject({ doc_ids: z.array(docIdField), vault_id: vaultIdField }),
      example: { doc_ids: [DOC], vault_id: VAULT },
      vaultIds: ({ vaultId }: DocumentsDeleted) => [vaultId],
      toPayload: ({ docIds, vaultId }: DocumentsDeleted) => ({ doc_ids: docIds, vault_id: vaultId }),
    }),
  },
} as const satisfies EventDeclarations;
