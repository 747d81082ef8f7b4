import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { DOCUMENT_STATUSES, documentsOperation, memoryId } from './documents.ts';
import { nextCursor, pathId, TextSpan, timestamp } from './shared.ts';

/** Of a page of content; one chunk is shown whatever its size. */
const CONTENT_MAX_BYTES = 1_048_576;
const CONTENT_DEFAULT_BYTES = 262_144;

const chunkFields = {
  chunk_id: z.string(),
  ordinal: z.number().int().meta({ description: 'Its place among the chunks of the document, from 0.' }),
  text: z.string(),
  headings: z.array(z.string()).meta({ description: 'The headings above it, outermost first.' }),
  page: z.number().int().nullable().meta({ description: 'Page, slide or chapter, from 1; null where there is none.' }),
  page_end: z.number().int().nullable().meta({ description: 'The last page, when it covers several.' }),
  location: z
    .record(z.string(), z.unknown())
    .meta({ description: 'Where it lies in the document, as results of a search say it.' }),
  facts: z
    .array(z.object({ fact_id: z.string(), entity_id: z.string(), relation: z.string(), span: TextSpan }))
    .meta({ description: 'What its words state, in the order of the text; at most 100.' }),
};

const DocumentChunk = z.object(chunkFields).meta({ id: 'DocumentChunk' });

const Chunk = z
  .object({
    ...chunkFields,
    doc_id: z.string(),
    title: z.string().meta({ description: 'The title of the document.' }),
    vault_id: z.string(),
    source_uri: z.string().nullable(),
    occurred_at: timestamp.nullable(),
    previous_chunk_id: z.string().nullable(),
    next_chunk_id: z.string().nullable(),
  })
  .meta({ id: 'Chunk' });

export const getDocumentOriginal = defineOperation({
  ...documentsOperation,
  id: 'getDocumentOriginal',
  sdk: 'documents.original',
  method: 'GET',
  path: '/api/v1/memory/documents/{doc_id}/original',
  summary: 'Download what was handed in as a document',
  description:
    'Returns the text or file byte by byte as it was handed in, or as it was fetched from its address, as a download. It is there only for documents that were indexed while the memory had `keep_originals` on, and in which screening masked nothing; `original` of a document says so. A document that is replaced keeps the original of its earlier version until the new one is indexed.',
  errors: ['not_found', 'conflict'],
  action: 'read',
  scope: 'documents:read',
  params: z.strictObject({ doc_id: pathId }),
  query: z.strictObject({ memory_id: memoryId }),
  response: { kind: 'file', mediaTypes: ['application/octet-stream'] },
});

export const getDocumentContent = defineOperation({
  ...documentsOperation,
  id: 'getDocumentContent',
  sdk: 'documents.content',
  method: 'GET',
  path: '/api/v1/memory/documents/{doc_id}/content',
  summary: 'Read the text of a document',
  description:
    'Returns the stored text of a document in its order, chunk by chunk, with headings, page numbers and the places of its facts. Values that screening masked are masked here too. A document that is replaced keeps its earlier text until the new one is indexed; `updated_at` tells whether it changed between two pages.',
  errors: ['not_found', 'conflict'],
  action: 'read',
  scope: 'documents:read',
  params: z.strictObject({ doc_id: pathId }),
  query: z.strictObject({
    memory_id: memoryId,
    max_bytes: z.coerce
      .number()
      .int()
      .min(1)
      .max(CONTENT_MAX_BYTES)
      .default(CONTENT_DEFAULT_BYTES)
      .meta({ description: 'Most text of a page in bytes of UTF-8; a page has at least one chunk.' }),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/, 'is not a next_cursor of this list')
      .optional()
      .meta({ description: '`next_cursor` of the page before.' }),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({
        doc_id: z.string(),
        title: z.string(),
        status: z.enum(DOCUMENT_STATUSES),
        media_type: z.string(),
        source_uri: z.string().nullable(),
        updated_at: timestamp,
        chunks: z.array(DocumentChunk),
        next_cursor: nextCursor,
      })
      .meta({ id: 'DocumentContent' }),
  },
});

export const getChunk = defineOperation({
  ...documentsOperation,
  id: 'getChunk',
  sdk: 'chunks.get',
  method: 'GET',
  path: '/api/v1/memory/chunks/{chunk_id}',
  summary: 'Read one chunk of a document',
  description:
    'Returns the text that citations, results and facts refer to by `chunk_id`, with its place in the document and the chunks beside it. A new version of a document keeps the ids of chunks whose text did not change; the others are not found any more.',
  errors: ['not_found', 'conflict'],
  action: 'read',
  scope: 'documents:read',
  params: z.strictObject({ chunk_id: pathId }),
  query: z.strictObject({ memory_id: memoryId }),
  response: { kind: 'json', status: 200, schema: Chunk },
});
