import type { ResponseOf, openSession } from '@cairn/contracts';
import type { SessionOfKey } from '../credentials/session-store.ts';

type Presented = ResponseOf<typeof openSession>;

/** A session as the API shows it; `currentId` is the credential of the request. */
export function presentSession({ session, key }: SessionOfKey, currentId: string): Presented {
  const ends = earliest(session.expires_at, key.expires_at);
  return {
    session_id: session.session_id,
    key_id: key.key_id,
    key_name: key.name,
    livemode: key.livemode,
    address: session.address,
    user_agent: session.user_agent,
    created_at: session.created_at.toISOString(),
    last_used_at: session.last_used_at.toISOString(),
    expires_at: earliest(session.idle_expires_at, ends).toISOString(),
    ends_at: ends.toISOString(),
    ended_at: (session.revoked_at ?? key.revoked_at)?.toISOString() ?? null,
    current: session.session_id === currentId,
  };
}

function earliest(one: Date, other: Date | null): Date {
  return other !== null && other < one ? other : one;
}
