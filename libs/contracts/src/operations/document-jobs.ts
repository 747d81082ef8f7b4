import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { DOCUMENT_STATUSES, documentsOperation, memoryId } from './documents.ts';
import { id, nextCursor, PAGE_LIMIT_MAX, pageById, pathId, timestamp } from './shared.ts';

const DOCUMENT_IDS_MAX = 1_000;
const JOBS_PAGE_DEFAULT = 50;

const ofAnyStatus = {
  space_id: id('space').optional(),
  external_id: z.string().min(1).max(500).optional(),
  query: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Part of the title or of the external id, in any case of letters.' }),
  needs_review: z.boolean().optional(),
};

function hasCondition(filter: object): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
const A_CONDITION = { message: 'name at least one condition' };

const DocumentFilter = z
  .strictObject({ status: z.array(z.enum(DOCUMENT_STATUSES)).min(1).max(8).optional(), ...ofAnyStatus })
  .refine(hasCondition, A_CONDITION)
  .meta({ id: 'DocumentFilter', description: 'The conditions of the list of documents; all must hold.' });

const FailedDocumentFilter = z
  .strictObject({ status: z.array(z.literal('failed')).length(1).optional(), ...ofAnyStatus })
  .refine(hasCondition, A_CONDITION)
  .meta({ id: 'FailedDocumentFilter', description: 'Failed documents for which all conditions hold.' });

const docIds = z.array(id('document')).min(1).max(DOCUMENT_IDS_MAX).optional();
const dryRun = z.boolean().default(false).meta({ description: 'Only count what the job would be about.' });
const eitherOf = (body: { doc_ids?: unknown; filter?: unknown }) =>
  (body.doc_ids === undefined) !== (body.filter === undefined);
const EITHER = { message: 'give either doc_ids or filter', path: ['doc_ids'] };

const jobFields = {
  job_id: z.string(),
  memory_id: z.string(),
  kind: z.enum(['delete', 'retry']),
  status: z.enum(['running', 'completed']),
  documents: z.number().int().meta({ description: 'What the job was about when it was made.' }),
  done: z.number().int(),
  failed: z.number().int().meta({ description: 'Documents with which nothing could be done.' }),
  created_at: timestamp,
  updated_at: timestamp,
  completed_at: timestamp.nullable(),
};
const DocumentJob = z.object(jobFields).meta({ id: 'DocumentJob' });

const DocumentJobProblem = z
  .object({
    doc_id: z.string(),
    code: z
      .enum(['not_found', 'not_failed', 'content_not_kept', 'duplicate', 'internal'])
      .meta({ description: 'Why nothing could be done with the document.' }),
    message: z.string(),
  })
  .meta({ id: 'DocumentJobProblem' });

const started = z
  .object({
    documents: z.number().int().meta({ description: 'Documents that the job is about.' }),
    job: DocumentJob.nullable().meta({ description: 'Null with `dry_run`.' }),
  })
  .meta({ id: 'StartedDocumentJob' });

const startingJob = {
  ...documentsOperation,
  method: 'POST',
  errors: ['not_found', 'conflict', 'queue_full'],
  action: 'write',
  scope: 'documents:write',
  idempotent: true,
} as const;

export const deleteDocuments = defineOperation({
  ...startingJob,
  id: 'deleteDocuments',
  sdk: 'documents.deleteMany',
  path: '/api/v1/memory/documents/delete',
  summary: 'Delete many documents, by their ids or by a filter',
  description:
    'Starts a job that deletes up to 1,000 documents by their ids, or all that a filter matches, with everything made of them. It goes on by itself, through restarts too; read it by its `job_id`. A filter is matched when the job comes to a document, and never takes one that was added after the job. `dry_run` starts nothing and counts what would be deleted.',
  body: z
    .strictObject({ doc_ids: docIds, filter: DocumentFilter.optional(), dry_run: dryRun, memory_id: memoryId })
    .refine(eitherOf, EITHER),
  response: { kind: 'json', status: 202, schema: started },
});

export const retryDocuments = defineOperation({
  ...startingJob,
  id: 'retryDocuments',
  sdk: 'documents.retryMany',
  weight: 20,
  path: '/api/v1/memory/documents/retry',
  summary: 'Try failed documents again, by their ids or by a filter',
  description:
    'Starts a job that queues failed documents again: up to 1,000 by their ids, or all that a filter matches. An address is fetched again; a text or file is read again while what was sent is kept, encrypted: for seven days after the failure unless the operator sets another time. Documents with which nothing could be done are listed in the job with the reason.',
  body: z
    .strictObject({ doc_ids: docIds, filter: FailedDocumentFilter.optional(), dry_run: dryRun, memory_id: memoryId })
    .refine(eitherOf, EITHER),
  response: { kind: 'json', status: 202, schema: started },
});

export const listDocumentJobs = defineOperation({
  ...documentsOperation,
  id: 'listDocumentJobs',
  sdk: 'documents.jobs',
  method: 'GET',
  path: '/api/v1/memory/jobs',
  summary: 'List the jobs over documents of a memory',
  description:
    'Lists the jobs that delete documents or try them again, newest first: those that run, and those that ended in the last seven days. A key of one space sees the jobs of that space only.',
  errors: ['not_found', 'conflict'],
  action: 'read',
  scope: 'documents:read',
  query: z.strictObject({
    memory_id: memoryId,
    kind: jobFields.kind.optional(),
    status: jobFields.status.optional(),
    ...pageById('job'),
    limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(JOBS_PAGE_DEFAULT),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ jobs: z.array(DocumentJob), next_cursor: nextCursor }).meta({ id: 'DocumentJobs' }),
  },
});

export const getDocumentJob = defineOperation({
  ...documentsOperation,
  id: 'getDocumentJob',
  sdk: 'documents.job',
  method: 'GET',
  path: '/api/v1/memory/jobs/{job_id}',
  summary: 'Read how far a job over documents is',
  description:
    'Returns how many documents a job has dealt with, and those with which nothing could be done, with the reason: the first 1,000 by id; `failed` counts all. A job is kept for seven days after its end.',
  errors: ['not_found', 'conflict'],
  action: 'read',
  scope: 'documents:read',
  params: z.strictObject({ job_id: pathId }),
  query: z.strictObject({ memory_id: memoryId }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ ...jobFields, problems: z.array(DocumentJobProblem) }).meta({ id: 'DocumentJobDetail' }),
  },
});
