import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { CREDENTIAL_KINDS, SCOPES } from '../permissions.ts';
import { ROLES } from '../roles.ts';
import { appPermissions, rateLimit } from './keys.ts';
import { timestamp } from './shared.ts';

const CallingCredential = z
  .object({
    kind: z.enum(CREDENTIAL_KINDS),
    id: z.string().meta({ description: 'The key, the member, or the OAuth client that the token was issued to.' }),
    name: z.string(),
    prefix: z.string().nullable().meta({
      description: 'The first 12 characters of a key; null for members, and for OAuth tokens, of which none is kept.',
    }),
    environment: z.enum(['live', 'test']),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'For an OAuth token those of the token.' }),
    app_permissions: appPermissions,
    ip_allowlist: z.array(z.string()),
    memory_id: z.string().nullable().meta({ description: 'The only memory that it reaches.' }),
    space_id: z.string().nullable().meta({ description: 'The only space that it reaches.' }),
    rate_limit: rateLimit.nullable().meta({ description: "Null: the plan's." }),
    expires_at: timestamp.nullable(),
    revokes_at: timestamp.nullable().meta({ description: 'When the key, having been rotated, is revoked by itself.' }),
  })
  .meta({ id: 'CallingCredential' });

const Features = z
  .object({
    language_models: z.array(z.string()).meta({
      description: 'What `llm_model` takes, the default first. Empty: answers are made without a model.',
    }),
    embeddings: z.boolean().meta({ description: 'Searches also compare meanings, by an embedding model.' }),
    reranking: z.boolean(),
    web_search: z.boolean().meta({ description: 'Runs may ask a search engine of the web.' }),
    proxy: z.boolean().meta({ description: '`proxy: true` is possible.' }),
  })
  .meta({ id: 'Features' });

export const whoami = defineOperation({
  id: 'whoami',
  sdk: 'account.whoami',
  method: 'GET',
  path: '/api/v1/whoami',
  summary: 'Read what the calling credential is and may do',
  description:
    'The credential of the request with its scopes and bindings, its tenant, the version of the installation and what the operator has configured. Any valid credential may call it, on the base address and on the hostname of a memory that it reaches. `features` is null while the service that knows them does not answer; a secret is never part of the answer.',
  tag: 'Account',
  service: 'keys',
  app: 'keys',
  action: 'read',
  scope: null,
  reach: 'memory',
  query: z.strictObject({}),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({
        credential: CallingCredential,
        member: z
          .object({
            member_id: z.string(),
            email: z.string(),
            name: z.string(),
            role: z.enum(ROLES),
            linked: z.boolean().meta({ description: 'Signs in with an account at the identity provider.' }),
          })
          .nullable()
          .meta({ description: 'The person who is signed in; null for other credentials.' }),
        tenant: z.object({ tenant_id: z.string(), name: z.string(), plan: z.string() }),
        version: z.string(),
        features: Features.nullable(),
      })
      .meta({ id: 'Whoami' }),
  },
});
