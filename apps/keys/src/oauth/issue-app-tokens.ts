import { createHash, timingSafeEqual } from 'node:crypto';
import { APP_REFRESH_PREFIX } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { digestOf, generateKey, generateSecret } from '@cairn/identity';
import type { Database, Tx } from '@cairn/postgres';
import type { Logger, PublicRequestContext, PublicResponse } from '@cairn/service-kit';
import {
  type AppRow,
  countRefreshTokens,
  findAppToken,
  findCode,
  insertAppToken,
  lockApp,
  recordAppUse,
  useCode,
  useRefreshToken,
} from '../credentials/app-store.ts';
import { stateOf } from '../credentials/credential-state.ts';
import { findKey } from '../credentials/key-store.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { revokeApp } from '../invalidation/revoke-app.ts';
import { authenticateClient, hasSecret, presentedCredentials } from './client-authentication.ts';
import { authenticationError, oauthError } from './oauth-error.ts';

const ACCESS_LIFETIME_MS = 15 * 60_000;
/** An app that is not used for as long ends. */
const REFRESH_LIFETIME_MS = 30 * 24 * 3_600_000;
/**
 * In the lifetime of an access token, of which an app needs one. Used refresh tokens are kept until they expire, as one
 * that was forgotten would not be noticed when it is used again; this bounds how many.
 */
const REFRESHES_MAX = 20;
/** RFC 7636, 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

export interface AppTokenDeps {
  invalidate: Invalidate;
  /** Whoever redeems a code has proved nothing yet, so no tenant is known. */
  workerDatabase: Database;
  now: () => Date;
  logger: Pick<Logger, 'warn'>;
}

type Body = PublicRequestContext<typeof operations.issueOAuthToken>['body'];
type Response = PublicResponse<typeof operations.issueOAuthToken>;
type Outcome =
  | { kind: 'tokens'; body: Extract<Response['body'], { access_token: string }> }
  | { kind: 'refused'; error: string; description: string }
  /** Used before: somebody else has it. */
  | { kind: 'reused'; appId: string; what: string };

/**
 * The grants `authorization_code` and `refresh_token`. Written here and not left to the library of the client
 * credentials: a code or refresh token is used up, and what follows from it is stored, in one transaction, which a model
 * of separate steps cannot offer.
 */
export async function issueAppTokens(
  deps: AppTokenDeps,
  authorization: string | undefined,
  body: Body,
): Promise<Response> {
  const { client_id: clientId } = body;
  if (authorization !== undefined || body.client_secret !== undefined || hasSecret(clientId))
    return refuseWithSecret(deps, authorization, body);
  if (clientId === undefined) return oauthError('invalid_request', 'The parameter client_id is missing.');
  const outcome = await deps.workerDatabase.transaction((tx) =>
    body.grant_type === 'refresh_token' ? refresh(tx, deps, body, clientId) : redeem(tx, deps, body, clientId),
  );
  if (outcome.kind === 'tokens') return { body: outcome.body };
  if (outcome.kind === 'refused') return oauthError(outcome.error, outcome.description);
  deps.logger.warn(
    { app_id: outcome.appId },
    `oauth: ${outcome.what} was used twice; the connected app is disconnected`,
  );
  await revokeApp(deps, (work) => deps.workerDatabase.transaction(work), outcome.appId);
  return oauthError('invalid_grant', `The ${outcome.what} was used before; the app is disconnected.`);
}

/** A client that authenticates is known by that, and may use neither of these grants. */
async function refuseWithSecret(deps: AppTokenDeps, authorization: string | undefined, body: Body): Promise<Response> {
  const presented = presentedCredentials(authorization, body);
  if (!presented.ok) return authenticationError(presented.reason);
  const client = await authenticateClient(deps, presented.credentials);
  if (client === null) return oauthError('invalid_client', 'The client is unknown or no longer valid.');
  return oauthError('unauthorized_client', 'A client with a secret may use the grant client_credentials only.');
}

async function redeem(tx: Tx, { now }: AppTokenDeps, body: Body, clientId: string): Promise<Outcome> {
  const { code, code_verifier: verifier } = body;
  if (code === undefined) return refused('invalid_request', 'The parameter code is missing.');
  if (verifier === undefined || !VERIFIER.test(verifier))
    return refused('invalid_request', 'The parameter code_verifier is missing or malformed.');
  const found = await findCode(tx, digestOf(code));
  const app = found === null ? null : await lockApp(tx, found.app_id);
  if (found === null || app === null || app.client_id !== clientId) return unknown('code');
  if (body.redirect_uri !== found.redirect_uri) return refused('invalid_grant', 'The redirect_uri is another one.');
  if (!matches(found.code_challenge, verifier)) return refused('invalid_grant', 'The code_verifier does not match.');
  if (!isFor(app, body.resource)) return otherResource();
  if (!(await useCode(tx, found.sha256, now()))) return { kind: 'reused', appId: app.app_id, what: 'code' };
  if (found.expires_at <= now() || !(await isConnected(tx, app, now()))) return unknown('code');
  return issue(tx, app, now());
}

async function refresh(tx: Tx, { now }: AppTokenDeps, body: Body, clientId: string): Promise<Outcome> {
  const { refresh_token: presented } = body;
  if (presented === undefined) return refused('invalid_request', 'The parameter refresh_token is missing.');
  const token = await findAppToken(tx, digestOf(presented));
  const app = token?.kind === 'refresh' ? await lockApp(tx, token.app_id) : null;
  if (token === null || app === null || app.client_id !== clientId) return unknown('refresh_token');
  if (!isFor(app, body.resource)) return otherResource();
  if (body.scope !== undefined && !body.scope.split(' ').every((scope) => (app.scopes as string[]).includes(scope)))
    return refused('invalid_scope', 'More is asked for than was granted.');
  if (token.expires_at <= now() || !(await isConnected(tx, app, now()))) return unknown('refresh_token');
  if (!(await useRefreshToken(tx, token.sha256, now())))
    return { kind: 'reused', appId: app.app_id, what: 'refresh token' };
  const issued = await countRefreshTokens(tx, app.app_id, new Date(now().getTime() - ACCESS_LIFETIME_MS));
  if (issued >= REFRESHES_MAX)
    throw new CairnError('rate_limited', 'The app refreshes far more often than its tokens expire.', {
      retryAfterSeconds: ACCESS_LIFETIME_MS / 1_000,
    });
  return issue(tx, app, now());
}

async function issue(tx: Tx, app: AppRow, now: Date): Promise<Outcome> {
  const refreshToken = generateSecret(APP_REFRESH_PREFIX);
  const access = generateKey('oauth');
  const accessEnds = earlier(now.getTime() + ACCESS_LIFETIME_MS, app.ends_at);
  const refreshEnds = earlier(now.getTime() + REFRESH_LIFETIME_MS, app.ends_at);
  if (accessEnds <= now) return unknown('refresh_token');
  const row = { tenant_id: app.tenant_id, app_id: app.app_id, created_at: now };
  await insertAppToken(tx, { ...row, sha256: access.sha256, kind: 'access', expires_at: accessEnds });
  await insertAppToken(tx, { ...row, sha256: refreshToken.sha256, kind: 'refresh', expires_at: refreshEnds });
  await recordAppUse(tx, app.app_id, now, refreshEnds);
  return {
    kind: 'tokens',
    body: {
      access_token: access.plaintext,
      token_type: 'Bearer',
      expires_in: Math.round((accessEnds.getTime() - now.getTime()) / 1_000),
      scope: app.scopes.join(' '),
      refresh_token: refreshToken.plaintext,
    },
  };
}

/** False when the app has ended, or the key or member that connected it. */
async function isConnected(tx: Tx, app: AppRow, now: Date): Promise<boolean> {
  if (app.revoked_at !== null) return false;
  const key = await findKey(tx, app.key_id);
  return key !== null && stateOf(key, now) === 'valid';
}

function earlier(timeMs: number, end: Date): Date {
  return new Date(Math.min(timeMs, end.getTime()));
}

function matches(challenge: string, verifier: string): boolean {
  const made = createHash('sha256').update(verifier).digest();
  const stored = Buffer.from(challenge, 'base64url');
  return stored.length === made.length && timingSafeEqual(stored, made);
}

/** A client need not repeat what it asked for; what it names must be that. */
function isFor(app: AppRow, resource: string | undefined): boolean {
  return resource === undefined || resource === app.resource;
}

function otherResource(): Outcome {
  return refused('invalid_target', 'The app was connected to another resource.');
}

function unknown(what: string): Outcome {
  return refused('invalid_grant', `The ${what} is unknown, of another client, or no longer valid.`);
}

function refused(error: string, description: string): Outcome {
  return { kind: 'refused', error, description };
}
