import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { inMemory } from './graph.ts';
import { id } from './shared.ts';

export const EXPORT_MEDIA_TYPE = 'application/x-ndjson';

const exporting = {
  service: 'memory',
  app: 'memory',
  reach: 'memory',
  method: 'GET',
  action: 'read',
  errors: ['not_found', 'conflict'],
  response: { kind: 'file', mediaTypes: [EXPORT_MEDIA_TYPE] },
} as const;

const HOW =
  'One JSON object a line, each with its `type`; the last line is `{"type":"end"}` with the number of lines before it, and without it the answer was cut off. What changes while it is written may be in it as it was or as it is.';

export const exportDocuments = defineOperation({
  ...exporting,
  tag: 'Documents',
  scope: 'documents:read',
  id: 'exportDocuments',
  sdk: 'documents.export',
  weight: 5,
  path: '/api/v1/memory/documents/export',
  summary: 'Download all documents of a memory with their text',
  description: `Streams every document, oldest first, each followed by its passages in their order. ${HOW} \`after\` goes on behind a document that arrived whole.`,
  query: z.strictObject({
    ...inMemory,
    space_id: id('space').optional().meta({ description: 'Only documents of this space.' }),
    after: id('document').optional().meta({ description: 'The last document that arrived with all its passages.' }),
  }),
});

export const exportGraph = defineOperation({
  ...exporting,
  tag: 'Graph',
  scope: 'graph:read',
  id: 'exportGraph',
  sdk: 'graph.export',
  weight: 5,
  path: '/api/v1/memory/graph/export',
  summary: 'Download all entities and facts of a memory',
  description: `Streams every entity with its aliases, then every fact with its quote and document. ${HOW}`,
  query: z.strictObject(inMemory),
});

export const exportThreads = defineOperation({
  ...exporting,
  tag: 'Threads',
  scope: 'threads:read',
  id: 'exportThreads',
  sdk: 'threads.export',
  weight: 5,
  path: '/api/v1/threads/export',
  summary: 'Download all conversations of a memory',
  description: `Streams every thread, oldest first, each followed by its turns. ${HOW}`,
  query: z.strictObject(inMemory),
});
