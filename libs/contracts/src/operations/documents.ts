import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { id, nextCursor, page, pathId, timestamp } from './shared.ts';

export const DOCUMENT_STATUSES = [
  'queued',
  'parsing',
  'screening',
  'routing',
  'indexing',
  'linking',
  'completed',
  'failed',
] as const;

/** Largest JSON body of an ingest call; larger documents come as files. */
export const INGEST_BODY_MAX_BYTES = 8 * 1_048_576;
export const INGEST_BATCH_MAX = 100;

const METADATA_KEYS_MAX = 64;
const metadataValue = z.union([
  z.string().max(2_000),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.string().max(500)).max(100),
]);

const documentFields = {
  content: z.string().min(1).meta({ description: 'Text or Markdown.' }),
  title: z.string().trim().min(1).max(500).optional(),
  external_id: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'Your own id; a later document with it replaces this one.' }),
  space_id: id('space').optional(),
  metadata: z
    .record(z.string().min(1).max(100), metadataValue)
    .refine((value) => Object.keys(value).length <= METADATA_KEYS_MAX, `has more than ${METADATA_KEYS_MAX} keys`)
    .optional(),
  occurred_at: timestamp.optional(),
};
const memoryId = id('memory')
  .optional()
  .meta({ description: "Default: the key's memory, else the default workspace's primary memory." });

const NewDocument = z.strictObject(documentFields).meta({ id: 'NewDocument' });

export const Document = z
  .object({
    doc_id: z.string(),
    memory_id: z.string(),
    vault_id: z.string(),
    space_id: z.string().nullable(),
    external_id: z.string().nullable(),
    title: z.string(),
    status: z.enum(DOCUMENT_STATUSES),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    metadata: z.record(z.string(), z.unknown()),
    media_type: z.string(),
    bytes: z.number().int(),
    chunks: z.number().int(),
    source_uri: z.string().nullable(),
    occurred_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'Document' });

const documentsOperation = { service: 'memory', app: 'memory', tag: 'Documents', reach: 'memory' } as const;

export const ingestDocuments = defineOperation({
  ...documentsOperation,
  id: 'ingestDocuments',
  method: 'POST',
  path: '/api/v1/memory/documents',
  summary: 'Put one document or up to 100 into a memory',
  action: 'write',
  scope: 'documents:write',
  idempotent: true,
  bodyMaxBytes: INGEST_BODY_MAX_BYTES,
  body: z
    .strictObject({
      ...documentFields,
      content: documentFields.content.optional(),
      documents: z.array(NewDocument).min(1).max(INGEST_BATCH_MAX).optional(),
      memory_id: memoryId,
    })
    .refine((body) => (body.content === undefined) !== (body.documents === undefined), {
      message: 'give either content or documents',
      path: ['content'],
    })
    .refine((body) => body.documents === undefined || onlyBatchFields(body), {
      message: 'fields of a document belong into documents when a batch is given',
      path: ['documents'],
    }),
  answer: {
    kind: 'json',
    status: 202,
    schema: z.object({
      documents: z.array(z.object({ doc_id: z.string(), status: z.enum(DOCUMENT_STATUSES), vault_id: z.string() })),
    }),
  },
});

function onlyBatchFields(body: Record<string, unknown>): boolean {
  return Object.entries(body).every(
    ([key, value]) => value === undefined || key === 'documents' || key === 'memory_id',
  );
}

export const listDocuments = defineOperation({
  ...documentsOperation,
  id: 'listDocuments',
  method: 'GET',
  path: '/api/v1/memory/documents',
  summary: 'List the documents of a memory',
  action: 'read',
  scope: 'documents:read',
  query: z.strictObject({
    memory_id: memoryId,
    space_id: z.string().max(128).optional(),
    status: z.enum(DOCUMENT_STATUSES).optional(),
    external_id: z.string().min(1).max(500).optional(),
    ...page,
  }),
  answer: { kind: 'json', status: 200, schema: z.object({ documents: z.array(Document), next_cursor: nextCursor }) },
});

export const getDocument = defineOperation({
  ...documentsOperation,
  id: 'getDocument',
  method: 'GET',
  path: '/api/v1/memory/documents/{doc_id}',
  summary: 'Read the state of one document',
  action: 'read',
  scope: 'documents:read',
  params: z.strictObject({ doc_id: pathId }),
  query: z.strictObject({ memory_id: memoryId }),
  answer: { kind: 'json', status: 200, schema: Document },
});

export const deleteDocument = defineOperation({
  ...documentsOperation,
  id: 'deleteDocument',
  method: 'DELETE',
  path: '/api/v1/memory/documents/{doc_id}',
  summary: 'Delete one document with everything made of it',
  action: 'write',
  scope: 'documents:write',
  params: z.strictObject({ doc_id: pathId }),
  query: z.strictObject({ memory_id: memoryId }),
  answer: { kind: 'json', status: 200, schema: z.object({ doc_id: z.string(), deleted: z.literal(true) }) },
});
