import { SIGN_IN_PREFIX } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { digestOf, generateSecret } from '@cairn/identity';
import type { Database } from '@cairn/postgres';
import type { PublicRequestContext, PublicResponse } from '@cairn/service-kit';
import { insertAttempt } from '../credentials/attempt-store.ts';
import type { IdentityProvider } from './identity-provider.ts';

const LIFETIME_MS = 10 * 60_000;

/** Begins a sign-in that only the browser which is given `attempt` can finish. */
export async function startSignIn(
  deps: { provider: IdentityProvider | null; workerDatabase: Database; now: () => Date },
  { body }: PublicRequestContext<typeof operations.startSignIn>,
): Promise<PublicResponse<typeof operations.startSignIn>> {
  if (deps.provider === null) throw notFound('An identity provider');
  const challenge = deps.provider.newChallenge();
  const url = await deps.provider.authorizationUrl(challenge);
  const secret = generateSecret(SIGN_IN_PREFIX);
  const expiresAt = new Date(deps.now().getTime() + LIFETIME_MS);
  await deps.workerDatabase.transaction((tx) =>
    insertAttempt(tx, {
      ...challenge,
      sha256: secret.sha256,
      invitation_sha256: body.invitation === undefined ? null : digestOf(body.invitation),
      wanted_member: body.member_id ?? null,
      expires_at: expiresAt,
    }),
  );
  return { body: { url, attempt: secret.plaintext, expires_at: expiresAt.toISOString() } };
}
