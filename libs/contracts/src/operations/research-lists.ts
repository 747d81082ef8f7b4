import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { LIST_STATUSES, LIST_TYPES, runOperation } from './research-shared.ts';
import { PAGE_LIMIT_MAX, pathId, timestamp } from './shared.ts';

const readLists = { ...runOperation, tag: 'Lists', method: 'GET', action: 'read', scope: 'lists:read' } as const;
const pageNumber = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(20),
  searchTerm: z.string().trim().max(200).optional(),
};

const SavedList = z
  .object({
    id: z.string(),
    listName: z.string(),
    listDescription: z.string(),
    listStatus: z.enum(LIST_STATUSES),
    listType: z.enum(LIST_TYPES),
    noOfRecords: z.number().int(),
    thread_id: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'SavedList' });

export const listSavedLists = defineOperation({
  ...readLists,
  id: 'listSavedLists',
  sdk: 'lists.list',
  path: '/api/v1/search/lists',
  summary: 'List the saved lists',
  description:
    'Lists the saved lists of people and company searches, newest first; those of the web are included on request.',
  query: z.strictObject({ ...pageNumber, listType: z.enum(LIST_TYPES).optional() }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ success: z.boolean(), data: z.array(SavedList), total: z.number().int() }),
  },
});

export const getSavedList = defineOperation({
  ...readLists,
  id: 'getSavedList',
  sdk: 'lists.get',
  path: '/api/v1/search/lists/{list_id}',
  summary: 'Read one saved list',
  description: 'Returns one saved list with its criteria and columns.',
  errors: ['not_found'],
  params: z.strictObject({ list_id: pathId }),
  response: { kind: 'json', status: 200, schema: SavedList },
});

const Evidence = z
  .object({
    source_id: z.string(),
    title: z.string(),
    uri: z.string().nullable(),
    quote: z.string(),
    start: z.number().int().meta({ description: "Where the quote begins in the source's text, in UTF-16 units." }),
  })
  .meta({ id: 'CellEvidence' });

const ListRow = z
  .object({
    row_id: z.string(),
    position: z.number().int(),
    name: z.string(),
    cells: z.record(
      z.string(),
      z.object({ value: z.string(), confidence: z.number().min(0).max(1), evidence: z.array(Evidence) }),
    ),
    sources: z.array(z.object({ source_id: z.string(), title: z.string(), uri: z.string().nullable() })),
    created_at: timestamp,
  })
  .meta({ id: 'ListRow' });

export const listRows = defineOperation({
  ...readLists,
  id: 'listRows',
  sdk: 'lists.rows',
  path: '/api/v1/search/lists/{list_id}/rows',
  summary: 'Read the rows of a list with the evidence of every cell',
  description: 'Returns the rows of a list, each cell with its quote, source and confidence.',
  errors: ['not_found'],
  params: z.strictObject({ list_id: pathId }),
  query: z.strictObject(pageNumber),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ success: z.boolean(), data: z.array(ListRow), total: z.number().int() }),
  },
});

export const exportList = defineOperation({
  ...readLists,
  id: 'exportList',
  sdk: 'lists.export',
  path: '/api/v1/search/lists/{list_id}/export',
  summary: 'Download a list with all its rows',
  description:
    'Returns all rows as CSV or JSON. Values that a spreadsheet would take for a formula are escaped in CSV.',
  errors: ['not_found'],
  params: z.strictObject({ list_id: pathId }),
  query: z.strictObject({ format: z.enum(['csv', 'json']).default('csv') }),
  response: { kind: 'file', mediaTypes: ['text/csv', 'application/json'] },
});
