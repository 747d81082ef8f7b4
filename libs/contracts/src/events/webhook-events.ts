import { z } from 'zod';

/** The events a webhook can subscribe to, by the interface's names. */
export const WEBHOOK_EVENTS = [
  'memory.ingest.completed',
  'memory.ingest.dlp_flagged',
  'memory.ingest.auto_routed',
  'memory.entity.created',
  'memory.entity.contradiction_detected',
  'memory.entity.contradiction_resolved',
  'memory.health.assessed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export interface EventType {
  description: string;
  payload: z.ZodObject;
  /** A payload as it may be; its ids exist nowhere. */
  example: Record<string, unknown>;
}

export const docId = z.string().meta({ description: 'The document.' });
export const vaultId = z
  .string()
  .meta({ description: 'The vault that the document lies in: of a space, or the root.' });
const DOC = 'doc_ChDhyTHs92sYSupMCpKFy';
const VAULT = 'vlt_ChDhyTF3yVnCDhrBV3bMo';
const ENTITY = 'ent_ChDhyTJHqYTqkzKUoQwEh';
const CONTRADICTION = 'con_ChDhyTKWcKPbxeBPtBqMz';
const FACTS = ['rel_ChDhyTLFkSm6Qz2mXwPnA', 'rel_ChDhyTM5eVaKx8JcJ4yTd'] as const;

/** Each event with what its payload holds. What is delivered has these fields and no others. */
export const WEBHOOK_EVENT_TYPES = {
  'memory.ingest.completed': {
    description: 'A document is indexed and can be found.',
    payload: z.strictObject({
      doc_id: docId,
      vault_id: vaultId,
      title: z.string(),
      chunks: z.number().int().meta({ description: 'Passages that it was divided into.' }),
    }),
    example: { doc_id: DOC, vault_id: VAULT, title: 'Minutes of 3 November', chunks: 4 },
  },
  'memory.ingest.dlp_flagged': {
    description: 'Screening has masked something in a document. No value that was found is part of the event.',
    payload: z.strictObject({
      doc_id: docId,
      vault_id: vaultId,
      findings: z.array(
        z.strictObject({
          kind: z.string().meta({ description: 'What was masked, for instance `email` or `credit_card`.' }),
          count: z.number().int(),
        }),
      ),
    }),
    example: { doc_id: DOC, vault_id: VAULT, findings: [{ kind: 'email', count: 2 }] },
  },
  'memory.ingest.auto_routed': {
    description: 'A document that named no space was given one, or was left in the root.',
    payload: z.strictObject({
      doc_id: docId,
      vault_id: vaultId,
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
  },
  'memory.entity.created': {
    description: 'An entity was named for the first time.',
    payload: z.strictObject({ entity_id: z.string(), name: z.string(), type: z.string() }),
    example: { entity_id: ENTITY, name: 'Ada Lovelace', type: 'person' },
  },
  'memory.entity.contradiction_detected': {
    description: 'Documents disagree about one relation of one entity.',
    payload: z.strictObject({
      contradiction_id: z.string(),
      entity_id: z.string(),
      relation: z.string(),
      facts: z.array(z.strictObject({ fact_id: z.string(), value: z.string(), doc_id: docId })),
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
  },
  'memory.entity.contradiction_resolved': {
    description: 'Somebody, or later evidence, has decided which fact holds.',
    payload: z.strictObject({
      contradiction_id: z.string(),
      winner: z.string().meta({ description: 'The id of the fact that holds, or `both`.' }),
      resolved_by: z.string().meta({ description: 'The id of the key that decided, or `system`.' }),
    }),
    example: { contradiction_id: CONTRADICTION, winner: FACTS[1], resolved_by: 'system' },
  },
  'memory.health.assessed': {
    description: 'The health of a memory was assessed, and is another than before.',
    payload: z.strictObject({
      score: z.number().meta({ description: '0 to 100.' }),
      parts: z.record(z.string(), z.number()).meta({ description: 'As GET /api/v1/memory/health names them.' }),
    }),
    example: { score: 87.5, parts: { freshness: 100, orphan_rate: 0.25 } },
  },
} as const satisfies Record<WebhookEvent, EventType>;

/** What the event's payload holds. */
export type WebhookPayload<Event extends WebhookEvent> = z.output<(typeof WEBHOOK_EVENT_TYPES)[Event]['payload']>;

/** The whole body of a delivery of the event. */
export function webhookBodySchema(event: WebhookEvent): z.ZodObject {
  return bodySchema(event, WEBHOOK_EVENT_TYPES[event].payload).extend({
    test: z.literal(true).optional().meta({ description: 'There when somebody tries the webhook: nothing happened.' }),
  });
}

/** The public form of an event with such a payload. */
export function bodySchema(event: string, payload: z.ZodObject): z.ZodObject {
  return z.strictObject({
    event_id: z.string().meta({ description: 'The same at every attempt; ignore one that you have handled.' }),
    event: z.literal(event),
    occurred_at: z.iso.datetime(),
    livemode: z.boolean().meta({ description: 'False in the test environment.' }),
    scope: z.strictObject({ tenant_id: z.string(), workspace_id: z.string(), memory_id: z.string() }),
    payload,
  });
}
