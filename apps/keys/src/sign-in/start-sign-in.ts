import { type ResponseOf, SIGN_IN_PREFIX } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { digestOf, generateSecret } from '@cairn/identity';
import type { Database } from '@cairn/postgres';
import type { PublicRequestContext, PublicResponse } from '@cairn/service-kit';
import { type Attempt, insertAttempt } from '../credentials/attempt-store.ts';
import type { IdentityProvider } from './identity-provider.ts';

const LIFETIME_MS = 10 * 60_000;

interface StartDeps {
  provider: IdentityProvider | null;
  workerDatabase: Database;
  now: () => Date;
}

/** Begins a sign-in that only the browser which is given `attempt` can finish. */
export async function startSignIn(
  deps: StartDeps,
  { body }: PublicRequestContext<typeof operations.startSignIn>,
): Promise<PublicResponse<typeof operations.startSignIn>> {
  return {
    body: await beginAttempt(deps, {
      invitation_sha256: body.invitation === undefined ? null : digestOf(body.invitation),
      wanted_member: body.member_id ?? null,
      links_member: null,
    }),
  };
}

/** Stores what the person wants, and returns where to lead the browser. Throws `not_found` without a provider. */
export async function beginAttempt(
  { provider, workerDatabase, now }: StartDeps,
  wanted: Pick<Attempt, 'invitation_sha256' | 'wanted_member' | 'links_member'>,
): Promise<ResponseOf<typeof operations.startSignIn>> {
  if (provider === null) throw notFound('An identity provider');
  const challenge = provider.newChallenge();
  const url = await provider.authorizationUrl(challenge);
  const secret = generateSecret(SIGN_IN_PREFIX);
  const expiresAt = new Date(now().getTime() + LIFETIME_MS);
  await workerDatabase.transaction((tx) =>
    insertAttempt(tx, { ...challenge, ...wanted, sha256: secret.sha256, expires_at: expiresAt }),
  );
  return { url, attempt: secret.plaintext, expires_at: expiresAt.toISOString() };
}
