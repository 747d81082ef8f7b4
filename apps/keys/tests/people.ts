import { ROLE_SCOPES, type Role } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import type { Answer, RunningKeys, Tenant } from './keys-harness.ts';

export const SESSIONS = '/api/v1/console/sessions';

export interface Opened {
  status: number;
  secret: string;
  body: Record<string, unknown> & { session_id: string; key_id: string; code?: string };
}

interface Joined {
  memberId: string;
  email: string;
  /** The plaintext of a session. */
  secret: string;
  /** A caller in that session. */
  caller: Identity;
}

/** Invites people and lets them join, through the API alone. */
export function peopleOf(keys: () => RunningKeys, tenant: () => Tenant) {
  let count = 0;
  const invite = (email: string, role: string, identity: Identity = tenant().live): Promise<Answer> =>
    keys().call(identity, 'POST', '/api/v1/invitations', { email, role });
  return {
    invite,
    async join(role: Role, identity: Identity = tenant().live): Promise<Joined> {
      count += 1;
      const email = `person-${count}@example.com`;
      const invited = await invite(email, role, identity);
      if (invited.status !== 201) throw new Error(JSON.stringify(invited.body));
      const secretOfLink = invited.body['invitation'] as string;
      const { secret, body } = await openWith(keys(), {
        invitation: { secret: secretOfLink, name: `Person ${count}` },
      });
      const caller = {
        ...tenant().live,
        kind: 'member' as const,
        keyId: body.key_id,
        credentialId: body.session_id,
        scopes: ROLE_SCOPES[role],
      };
      return { memberId: body.key_id, email, secret, caller };
    },
    change: (memberId: string, body: object, identity = tenant().live) =>
      keys().call(identity, 'PATCH', `/api/v1/members/${memberId}`, body),
    remove: (memberId: string, identity = tenant().live, query = '') =>
      keys().call(identity, 'DELETE', `/api/v1/members/${memberId}${query}`),
  };
}

/** Exchanges a proof for a session, as the gateway passes it on. */
export async function openWith(keys: RunningKeys, proof: object): Promise<Opened> {
  const response = await keys.open(SESSIONS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(proof),
  });
  const secret = /^__Host-cairn_session=([^;]*);/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';
  return { status: response.status, secret, body: (await response.json()) as Opened['body'] };
}
