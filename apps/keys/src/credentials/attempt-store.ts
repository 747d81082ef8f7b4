import type { Tx } from '@cairn/postgres';

/** A sign-in at the identity provider that a browser has begun. */
export interface Attempt {
  sha256: Buffer;
  state: string;
  nonce: string;
  code_verifier: string;
  /** Of the invitation that the person wants to accept. */
  invitation_sha256: Buffer | null;
  wanted_member: string | null;
  /** The member whose session began it, and to whom the account is linked. */
  links_member: string | null;
  expires_at: Date;
}

/** Deleted with each new one, so that those that nobody finishes do not pile up. */
const EXPIRED_DELETED_MAX = 100;

export async function insertAttempt(tx: Tx, attempt: Attempt): Promise<void> {
  await tx.execute(
    `DELETE FROM sign_in_attempts WHERE sha256 IN (
       SELECT sha256 FROM sign_in_attempts WHERE expires_at < now() LIMIT ${EXPIRED_DELETED_MAX} FOR UPDATE SKIP LOCKED)`,
  );
  await tx.execute(
    `INSERT INTO sign_in_attempts (sha256, state, nonce, code_verifier, invitation_sha256, wanted_member,
                                   links_member, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      attempt.sha256,
      attempt.state,
      attempt.nonce,
      attempt.code_verifier,
      attempt.invitation_sha256,
      attempt.wanted_member,
      attempt.links_member,
      attempt.expires_at,
    ],
  );
}

/** Uses an attempt up; null when there is none or its time is over. Of several at once one succeeds. */
export async function takeAttempt(tx: Tx, sha256: Buffer, now: Date): Promise<Attempt | null> {
  const [attempt] = await tx.query<Attempt>(
    `DELETE FROM sign_in_attempts WHERE sha256 = $1
     RETURNING sha256, state, nonce, code_verifier, invitation_sha256, wanted_member, links_member, expires_at`,
    [sha256],
  );
  return attempt === undefined || attempt.expires_at <= now ? null : attempt;
}
