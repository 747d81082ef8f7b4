import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { HEALTH_PARTS, inMemory, reading } from './graph.ts';
import { nextCursor, PAGE_LIMIT_MAX, pageBy, timestamp } from './shared.ts';

const PAGE_LIMIT_DEFAULT = 100;
const ASSESSED_CURSOR = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const PastPart = z.object({ score: z.number(), affected: z.number().int() });

const HealthAssessment = z
  .object({
    assessed_at: timestamp,
    score: z.number().meta({ description: '0 to 100.' }),
    parts: z.object(
      Object.fromEntries(HEALTH_PARTS.map((part) => [part, PastPart])) as Record<
        (typeof HEALTH_PARTS)[number],
        typeof PastPart
      >,
    ),
    documents: z.number().int().meta({ description: 'Documents of the memory at that time, of every status.' }),
    documents_added: z
      .number()
      .int()
      .meta({ description: 'Since the assessment before, as far as they are still there.' }),
    documents_deleted: z.number().int().meta({ description: 'Since the assessment before, of those it counted.' }),
  })
  .meta({ id: 'HealthAssessment' });

export const listHealthHistory = defineOperation({
  ...reading,
  id: 'listHealthHistory',
  sdk: 'memories.healthHistory',
  path: '/api/v1/memory/health/history',
  summary: 'List past assessments of the health of a memory',
  description:
    'Lists what the health of a memory was, newest first: one row for each change, changes within ten minutes counting as one, and one a day without a change. Documents that came or went since the row before explain jumps. Rows are kept for 400 days and are erased with the memory; a key of one space gets 403.',
  errors: ['not_found', 'conflict'],
  query: z.strictObject({
    ...inMemory,
    from: timestamp.optional().meta({ description: 'Only assessments at or after this time.' }),
    to: timestamp.optional().meta({ description: 'Only assessments before this time.' }),
    ...pageBy(ASSESSED_CURSOR),
    limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ history: z.array(HealthAssessment), next_cursor: nextCursor }).meta({ id: 'HealthHistory' }),
  },
});
