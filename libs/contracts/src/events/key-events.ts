import { z } from 'zod';
import type { KeyCreated, KeyRevoked } from '../gen/cairn/events/v1/events_pb.ts';
import { CREDENTIAL_KINDS, type CredentialKind } from '../permissions.ts';
import { definePublicEvent, type EventDeclarations } from './event-declaration.ts';

const KEYS = { app: 'keys', scope: 'keys:read' } as const;

const credentialId = z.string().meta({ description: 'A key, an OAuth client, or a single OAuth token.' });
const KEY = 'key_ChDhyTRq4dYpNiLtVzXcA';

/** What happens to credentials. */
export const KEY_EVENTS = {
  keyCreated: {
    subject: 'cairn.event.keys.key.created',
    publishers: ['keys'],
    public: definePublicEvent({
      event: 'credential.created',
      sentTo: 'stream',
      ...KEYS,
      description: 'A key or an OAuth client was created, or a key took the place of another one.',
      payload: z.strictObject({ credential_id: credentialId, kind: z.enum(CREDENTIAL_KINDS) }),
      example: { credential_id: KEY, kind: 'live' },
      toPayload: ({ keyId, kind }: KeyCreated) => ({ credential_id: keyId, kind: kind as CredentialKind }),
    }),
  },
  keyRevoked: {
    subject: 'cairn.event.keys.key.revoked',
    publishers: ['keys'],
    public: definePublicEvent({
      event: 'credential.revoked',
      sentTo: 'stream',
      ...KEYS,
      description:
        'A credential was revoked, or the time has passed in which a rotated key stayed valid. One that expires ends without an event.',
      payload: z.strictObject({ credential_id: credentialId }),
      example: { credential_id: KEY },
      toPayload: ({ keyId }: KeyRevoked) => ({ credential_id: keyId }),
    }),
  },
} as const satisfies EventDeclarations;
