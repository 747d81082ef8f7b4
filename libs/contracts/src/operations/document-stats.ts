import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { DOCUMENT_STATUSES, documentsOperation, memoryId } from './documents.ts';
import { timestamp } from './shared.ts';

const documents = z.number().int().meta({ description: 'How many documents.' });

const DocumentStats = z
  .object({
    memory_id: z.string(),
    total: documents,
    by_status: z.array(z.object({ status: z.enum(DOCUMENT_STATUSES), documents })),
    by_error: z
      .array(z.object({ code: z.string(), documents }))
      .meta({ description: 'Failed documents by `error.code`, the most frequent first.' }),
    by_space: z
      .array(z.object({ space_id: z.string().nullable(), documents }))
      .meta({ description: 'The most frequent first, at most 100; null for documents in no space.' }),
    by_media_type: z
      .array(z.object({ media_type: z.string(), documents }))
      .meta({ description: 'The most frequent first, at most 100.' }),
    oldest_waiting_at: timestamp
      .nullable()
      .meta({ description: 'Since when the document that waits longest has been waiting; null when none waits.' }),
    completed_last_minute: documents,
    completed_last_hour: documents,
  })
  .meta({ id: 'DocumentStats' });

export const getDocumentStats = defineOperation({
  ...documentsOperation,
  id: 'getDocumentStats',
  sdk: 'documents.stats',
  method: 'GET',
  path: '/api/v1/memory/documents/stats',
  summary: 'Count the documents of a memory',
  description:
    'Counts the documents of a memory, or of one of its spaces, by status, error, space and format, as of one moment. Also tells how long the oldest document has been waiting and how many were completed lately.',
  errors: ['not_found', 'conflict'],
  action: 'read',
  scope: 'documents:read',
  query: z.strictObject({ memory_id: memoryId, space_id: z.string().max(128).optional() }),
  response: { kind: 'json', status: 200, schema: DocumentStats },
});
