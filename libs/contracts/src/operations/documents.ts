import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import {
  listOf,
  type ShapeIssue,
  issueInList,
  id,
  precheckedBy,
  nextCursor,
  pageById,
  pathId,
  timestamp,
  shownLine,
} from './shared.ts';

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
/** Of an ingest call: 100 documents with 64 keys of metadata each take 7,200. */
const INGEST_VALUES_MAX = 20_000;
/** Largest file, sent or fetched. */
export const INGEST_FILE_MAX_BYTES = 25 * 1_048_576;
export const DOCUMENT_URL_MAX_CHARS = 2_000;

const METADATA_KEYS_MAX = 64;
const METADATA_LIST_MAX = 100;
const metadataValue = z.union([
  z.string().max(2_000),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.string().max(500)).max(METADATA_LIST_MAX),
]);
const METADATA_FORM = 'must be a text, number, boolean, null or a list of texts';
const metadata = precheckedBy(flawOfMetadata, z.record(z.string().min(1).max(100), metadataValue));

function flawOfMetadata(metadataGiven: unknown): ShapeIssue | null {
  if (typeof metadataGiven !== 'object' || metadataGiven === null) return null;
  const entries: [string, unknown][] = Object.entries(metadataGiven);
  if (entries.length > METADATA_KEYS_MAX) return { path: [], message: `has more than ${METADATA_KEYS_MAX} keys` };
  for (const [key, value] of entries) {
    if (value === null || typeof value !== 'object') continue;
    if (!Array.isArray(value)) return { path: [key], message: METADATA_FORM };
    if (value.length > METADATA_LIST_MAX) return { path: [key], message: `has more than ${METADATA_LIST_MAX} items` };
    const flaw = issueInList(value, (item) => typeof item === 'string', 'must be a text');
    if (flaw !== null) return { ...flaw, path: [key, ...flaw.path] };
  }
  return null;
}

const sourceFields = {
  content: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'The text itself: plain text, Markdown, HTML, CSV, JSON or an e-mail, told by content.' }),
  url: z
    .url({ protocol: /^https?$/ })
    .max(DOCUMENT_URL_MAX_CHARS)
    .optional()
    .meta({ description: 'Where to fetch the document. Sending the same address again fetches it again.' }),
};
const describingFields = {
  title: shownLine(500).min(1).optional(),
  external_id: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'Your own id; a later document with it replaces this one.' }),
  space_id: id('space').optional().meta({ description: 'Without it the document is routed by what it says.' }),
  metadata: metadata.optional().meta({ description: 'Your own fields, which searches can filter by.' }),
  occurred_at: timestamp
    .optional()
    .meta({ description: 'Of when the document is: “last week” in a question means this time.' }),
};
const documentFields = { ...sourceFields, ...describingFields };
const ONE_SOURCE = { message: 'give either content or url', path: ['content'] };
export const memoryId = id('memory')
  .optional()
  .meta({ description: "Default: the key's memory, else the default workspace's primary memory." });

const NewDocument = z
  .strictObject(documentFields)
  .refine((document) => (document.content === undefined) !== (document.url === undefined), ONE_SOURCE)
  .meta({ id: 'NewDocument' });

/** A field of a form holds text: JSON comes as its spelling. */
const metadataText = z.string().transform((text, context): z.output<typeof metadata> => {
  try {
    const parsed = metadata.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues)
      context.issues.push({ code: 'custom', message: issue.message, path: issue.path, input: text });
  } catch {
    context.issues.push({ code: 'custom', message: 'is not valid JSON', input: text });
  }
  return z.NEVER;
});

/** How a document without a space was classified. */
const Routing = z
  .object({
    confidence: z.number().meta({ description: '0 to 1: the winner’s share of winner and runner-up.' }),
    needs_review: z.boolean().meta({ description: 'The winner was not at least twice the runner-up.' }),
    reviewed_at: timestamp.nullable(),
  })
  .meta({ id: 'DocumentRouting' });

const Progress = z
  .object({
    step: z.enum(DOCUMENT_STATUSES),
    attempts: z.number().int(),
    cause: z.string().nullable().meta({ description: 'Why the attempt before was given up.' }),
    next_attempt_at: timestamp.nullable(),
  })
  .meta({ id: 'DocumentProgress' });

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
    progress: Progress.nullable().meta({ description: 'While the document is on its way; null afterwards.' }),
    routing: Routing.nullable().meta({ description: 'Null for a document whose space was named.' }),
    masked: z
      .array(z.object({ kind: z.string(), count: z.number().int() }))
      .meta({ description: 'What screening masked: counts, never values.' }),
    metadata: z.record(z.string(), z.unknown()),
    media_type: z.string(),
    bytes: z.number().int(),
    original: z
      .object({ bytes: z.number().int() })
      .nullable()
      .meta({ description: 'What was handed in, if it is kept; null otherwise.' }),
    chunks: z.number().int(),
    source_uri: z.string().nullable(),
    occurred_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'Document' });

export const documentsOperation = { service: 'memory', app: 'memory', tag: 'Documents', reach: 'memory' } as const;

export const ingestDocuments = defineOperation({
  ...documentsOperation,
  id: 'ingestDocuments',
  sdk: 'documents.add',
  weight: 20,
  method: 'POST',
  path: '/api/v1/memory/documents',
  summary: 'Add one document or up to 100 to a memory',
  description:
    'Accepts a text, the address of a page or file, a list of up to 100 of them, or a form with one file. All documents of a request are accepted together or not at all, and are stored durably when the response arrives. Each is searchable by the time its `status` is `completed`; `external_id` replaces an earlier version.',
  errors: ['not_found', 'conflict', 'plan_limit_reached', 'queue_full'],
  action: 'write',
  scope: 'documents:write',
  idempotent: true,
  bodyMaxBytes: INGEST_BODY_MAX_BYTES,
  bodyMaxValues: INGEST_VALUES_MAX,
  body: z
    .strictObject({
      ...documentFields,
      documents: z.array(NewDocument).min(1).max(INGEST_BATCH_MAX).optional(),
      memory_id: memoryId,
    })
    .refine((body) => [body.content, body.url, body.documents].filter((source) => source !== undefined).length === 1, {
      message: 'give either content, url or documents',
      path: ['content'],
    })
    .refine((body) => body.documents === undefined || onlyBatchFields(body), {
      message: 'fields of a document belong into documents when a batch is given',
      path: ['documents'],
    }),
  upload: {
    fields: z.strictObject({ ...describingFields, metadata: metadataText.optional(), memory_id: memoryId }),
    fileMaxBytes: INGEST_FILE_MAX_BYTES,
  },
  response: {
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
  sdk: 'documents.list',
  method: 'GET',
  path: '/api/v1/memory/documents',
  summary: 'List the documents of a memory',
  description:
    'Lists documents with their status, by default the oldest first. Filters select by status, space, words of title or external id, and whether a person has to confirm where a document belongs. With `query` a page may have fewer documents than `limit`, or none, and still a `next_cursor`: each page looks at a bounded number of documents.',
  errors: ['not_found', 'conflict'],
  action: 'read',
  scope: 'documents:read',
  query: z.strictObject({
    memory_id: memoryId,
    space_id: z.string().max(128).optional(),
    status: listOf(DOCUMENT_STATUSES).optional().meta({ description: 'One status, or several separated by commas.' }),
    external_id: z.string().min(1).max(500).optional(),
    query: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'Part of the title or of the external id, in any case of letters.' }),
    sort: z
      .enum(['oldest', 'newest'])
      .default('oldest')
      .meta({ description: 'By when the documents were first accepted. A cursor is one of the same order.' }),
    needs_review: z
      .enum(['true', 'false'])
      .transform((value) => value === 'true')
      .optional()
      .meta({ description: 'Only documents whose routing waits for a review, or only the others.' }),
    ...pageById('document'),
  }),
  response: { kind: 'json', status: 200, schema: z.object({ documents: z.array(Document), next_cursor: nextCursor }) },
});

export const getDocument = defineOperation({
  ...documentsOperation,
  id: 'getDocument',
  sdk: 'documents.get',
  method: 'GET',
  path: '/api/v1/memory/documents/{doc_id}',
  summary: 'Read the status of one document',
  description:
    'Returns the processing status of a document, its space and routing, what was masked and, if it failed, why.',
  errors: ['not_found', 'conflict'],
  action: 'read',
  scope: 'documents:read',
  params: z.strictObject({ doc_id: pathId }),
  query: z.strictObject({ memory_id: memoryId }),
  response: { kind: 'json', status: 200, schema: Document },
});

export const updateDocument = defineOperation({
  ...documentsOperation,
  id: 'updateDocument',
  sdk: 'documents.update',
  weight: 20,
  method: 'PATCH',
  path: '/api/v1/memory/documents/{doc_id}',
  summary: 'Change title, metadata or time of a document',
  description:
    'Changes what is said about a completed document; its text stays as it is. Title and metadata are screened like those of a new document. Searches and the graph follow by the time the response arrives; a changed title or time gives the chunks new ids. 409 while the document is being processed, or when it failed.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'documents:write',
  params: z.strictObject({ doc_id: pathId }),
  body: z
    .strictObject({
      title: describingFields.title,
      metadata: metadata.optional().meta({ description: 'Takes the place of all metadata that the document has.' }),
      occurred_at: timestamp.nullable().optional().meta({ description: 'Null: the document has no time.' }),
      memory_id: memoryId,
    })
    .refine((body) => [body.title, body.metadata, body.occurred_at].some((given) => given !== undefined), {
      message: 'give title, metadata or occurred_at',
      path: ['title'],
    }),
  response: { kind: 'json', status: 200, schema: Document },
});

export const deleteDocument = defineOperation({
  ...documentsOperation,
  id: 'deleteDocument',
  sdk: 'documents.delete',
  method: 'DELETE',
  path: '/api/v1/memory/documents/{doc_id}',
  summary: 'Delete one document with everything made of it',
  description:
    'Deletes the document with its chunks, vectors, names, links and facts. Searches do not find it any more when the response arrives.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'documents:write',
  params: z.strictObject({ doc_id: pathId }),
  query: z.strictObject({ memory_id: memoryId }),
  response: { kind: 'json', status: 200, schema: z.object({ doc_id: z.string(), deleted: z.literal(true) }) },
});

export const routeDocument = defineOperation({
  ...documentsOperation,
  id: 'routeDocument',
  sdk: 'documents.route',
  method: 'POST',
  path: '/api/v1/memory/documents/{doc_id}/route',
  summary: 'Decide to which space a document belongs',
  description:
    "Confirms or changes the space of a document and moves it with its chunks. Later documents are routed by such decisions. `null` moves it to the memory's root.",
  errors: ['not_found', 'conflict', 'memory_not_permitted'],
  action: 'write',
  scope: 'documents:write',
  params: z.strictObject({ doc_id: pathId }),
  body: z.strictObject({
    space_id: id('space').nullable().meta({ description: 'The space it belongs in; null for none of them.' }),
    memory_id: memoryId,
  }),
  idempotent: true,
  response: { kind: 'json', status: 200, schema: Document },
});
