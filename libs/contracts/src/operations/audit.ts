import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { CREDENTIAL_KINDS } from '../permissions.ts';
import { nextCursor, operationId, pageById, timeBound, timestamp } from './shared.ts';

const AuditEvent = z
  .object({
    audit_id: z.string(),
    occurred_at: timestamp.meta({ description: 'When the request reached the service.' }),
    operation: z.string().meta({ description: "The operation's id, as this document names it." }),
    actor: z.object({
      id: z.string().meta({ description: 'The key, the member, or the client of an OAuth token.' }),
      kind: z.enum(CREDENTIAL_KINDS),
      credential_id: z
        .string()
        .meta({ description: 'What was presented: the key, the single token, or the session of the console.' }),
    }),
    targets: z
      .array(
        z.object({
          name: z.string().meta({ description: 'The field or parameter that held it, for instance `key_id`.' }),
          id: z.string(),
        }),
      )
      .meta({
        description: "The ids in the path, and up to 100 that the answer named, such as the new key's.",
      }),
    status: z
      .number()
      .int()
      .meta({ description: 'HTTP status of the answer; that of success when the service ended before it answered.' }),
    client_address: z.string().nullable().meta({ description: 'As the gateway saw it.' }),
    request_id: z.string(),
  })
  .meta({ id: 'AuditEvent' });

export const listAuditEvents = defineOperation({
  service: 'usage',
  app: 'usage',
  reach: 'tenant',
  tag: 'Audit',
  method: 'GET',
  action: 'read',
  // It is about what credentials did, and names them.
  scope: 'keys:read',
  id: 'listAuditEvents',
  sdk: 'audit.list',
  path: '/api/v1/audit-events',
  summary: 'List who changed what',
  description:
    'Every request that changed something, and every sign-in to the console, newest first: who asked, for which operation, about what, from which address. The record is made in the transaction of the change, so no change lacks one; it can be read within seconds. Requests that were refused and requests that only read are not recorded, nor is anything of what was sent. Records are kept for 400 days.',
  query: z.strictObject({
    actor_id: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Only what this key, member or OAuth client did.' }),
    operation: operationId.optional().meta({ description: "An operation's id, for instance `revokeApiKey`." }),
    target_id: z.string().min(1).max(256).optional().meta({ description: 'Only what was about this id.' }),
    from: timeBound.optional().meta({ description: 'Inclusive.' }),
    to: timeBound.optional().meta({ description: 'Exclusive.' }),
    ...pageById('audit'),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ audit_events: z.array(AuditEvent), next_cursor: nextCursor }),
  },
});
