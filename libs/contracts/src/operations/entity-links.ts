import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { EntityName, GraphEdge, inMemory, reading } from './graph.ts';
import { nextCursor, PAGE_LIMIT_MAX, pageBy, pathId } from './shared.ts';

const PAGE_LIMIT_DEFAULT = 20;

/** The last document and chunk of a page. */
const PASSAGE_CURSOR = /^doc_[1-9A-HJ-NP-Za-km-z]{1,30}\.chk_[1-9A-Za-z_-]{1,60}$/;

const LinkStatement = z
  .object({
    source: z.string(),
    target: z.string(),
    type: z.string(),
    text: z.string().meta({ description: 'The words of the document that say so.' }),
    span: z
      .object({ start: z.number().int(), end: z.number().int() })
      .meta({ description: 'Where they stand in the text of the chunk, in UTF-16 units.' }),
    fact_id: z.string().nullable().meta({ description: 'The fact that quotes them, if they state one.' }),
  })
  .meta({ id: 'LinkStatement' });

export const LinkPassage = z
  .object({
    doc_id: z.string(),
    title: z.string().meta({ description: 'The title of the document.' }),
    chunk_id: z.string(),
    statements: z
      .array(LinkStatement)
      .meta({ description: 'Empty where the two names stand together in no single sentence, as in rows of a table.' }),
  })
  .meta({ id: 'LinkPassage' });

export const getEntityLinks = defineOperation({
  ...reading,
  id: 'getEntityLinks',
  sdk: 'graph.links.get',
  weight: 5,
  path: '/api/v1/memory/graph/links/{source}/{target}',
  summary: 'Read how two entities are linked and which sentences say so',
  description:
    'Returns every link between two entities, in both directions, and page by page the passages that state them, each with its sentences and their places. The links are complete on every page. Two entities without a link have an empty answer.',
  errors: ['not_found', 'conflict'],
  params: z.strictObject({ source: pathId, target: pathId }),
  query: z.strictObject({
    ...inMemory,
    ...pageBy(PASSAGE_CURSOR),
    limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({
        entities: z.array(EntityName).meta({ description: 'The two, in the order of the path.' }),
        links: z.array(GraphEdge).meta({ description: 'The weightiest first.' }),
        passages: z.array(LinkPassage).meta({ description: 'Those that state a link, in the order of their ids.' }),
        next_cursor: nextCursor,
      })
      .meta({ id: 'EntityLinks' }),
  },
});
