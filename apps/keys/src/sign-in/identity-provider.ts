import { CairnError } from '@cairn/errors';
import type { Logger } from '@cairn/service-kit';
import * as openid from 'openid-client';

/** The one identity provider of the installation, as the operator configured it. */
export interface ProviderSettings {
  /** As the sign-in page calls it. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Only addresses of these domains may sign in; empty: of any. */
  emailDomains: readonly string[];
}

/** A person as the provider vouches for it. */
export interface Person {
  issuer: string;
  subject: string;
  /** In lower case; null when the provider names none. */
  email: string | null;
  emailVerified: boolean;
  name: string | null;
}

/** What binds the provider's answer to the browser that asked. */
interface Challenge {
  state: string;
  nonce: string;
  code_verifier: string;
}

export interface IdentityProvider {
  name: string;
  emailDomains: readonly string[];
  newChallenge(): Challenge;
  /** Where to lead the browser. Throws `unavailable` when the provider cannot be asked how it works. */
  authorizationUrl(challenge: Challenge): Promise<string>;
  /** Exchanges a code. Throws `credential_invalid` for what the provider or the protocol refuses. */
  exchange(challenge: Challenge, answer: { code: string; state: string; iss?: string | undefined }): Promise<Person>;
}

const SCOPE = 'openid email profile';
const TIMEOUT_SECONDS = 10;
const RETRY_AFTER_SECONDS = 5;
/** How it works is asked for again after so long: providers change their addresses and keys. */
const DISCOVERED_FOR_MS = 3_600_000;

/**
 * OpenID Connect with an authorization code and PKCE. The provider is asked how it works when somebody signs in, so that
 * the service starts without it.
 */
export function createIdentityProvider(
  settings: ProviderSettings,
  deps: { fetch: typeof fetch; redirectUri: string; logger: Pick<Logger, 'warn'> },
): IdentityProvider {
  const { logger, redirectUri } = deps;
  const discover = discovery(settings, deps.fetch);
  /** What went wrong is the operator's to read; a caller is told what it can do. */
  const failed = (cause: unknown): CairnError => {
    logger.warn({ err: cause }, 'single sign-on: signing in with the identity provider failed');
    if (isRefusal(cause))
      return new CairnError('credential_invalid', 'The identity provider did not accept the sign-in; begin again.', {
        cause,
      });
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    return new CairnError('unavailable', 'The identity provider cannot be reached right now.', {
      cause,
      retryAfterSeconds,
    });
  };

  return {
    name: settings.name,
    emailDomains: settings.emailDomains,
    newChallenge: () => ({
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      code_verifier: openid.randomPKCECodeVerifier(),
    }),
    async authorizationUrl({ state, nonce, code_verifier }) {
      try {
        const url = openid.buildAuthorizationUrl(await discover(), {
          redirect_uri: redirectUri,
          scope: SCOPE,
          state,
          nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(code_verifier),
          code_challenge_method: 'S256',
        });
        return url.href;
      } catch (error) {
        throw failed(error);
      }
    },
    async exchange({ state, nonce, code_verifier }, answer) {
      try {
        const answered = new URL(redirectUri);
        for (const [name, value] of Object.entries(answer))
          if (value !== undefined) answered.searchParams.set(name, value);
        const configuration = await discover();
        const tokens = await openid.authorizationCodeGrant(configuration, answered, {
          pkceCodeVerifier: code_verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        // Many providers say only there who somebody is.
        const info =
          claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
            ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : {};
        return personOf({ ...info, ...claims }, configuration.serverMetadata().issuer);
      } catch (error) {
        throw failed(error);
      }
    },
  };
}

/** Asks the provider how it works, once for many sign-ins; a failure is not kept. */
function discovery(settings: ProviderSettings, fetchGuarded: typeof fetch): () => Promise<openid.Configuration> {
  let known: { configuration: Promise<openid.Configuration>; since: number } | null = null;
  return () => {
    if (known === null || performance.now() - known.since > DISCOVERED_FOR_MS) {
      const issuer = new URL(settings.issuer);
      const configuration = openid.discovery(
        issuer,
        settings.clientId,
        { client_secret: settings.clientSecret },
        clientAuthentication(settings.clientSecret),
        {
          timeout: TIMEOUT_SECONDS,
          [openid.customFetch]: (url, options) => fetchGuarded(url, options as RequestInit),
          execute: [
            // The standard accepts TLS instead of the signature, but a proxy that inspects TLS is a supported setting.
            // The library accepts asymmetric algorithms that the provider names, keeps the provider's keys for five
            // minutes, and fetches them again for an unknown key id at most once a minute.
            openid.enableNonRepudiationChecks,
            // The configuration allows plain http on loopback alone.
            ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
          ],
        },
      );
      known = { configuration, since: performance.now() };
      configuration.catch(() => (known = null));
    }
    return known.configuration;
  };
}

/** As the provider takes it; what it does not say is the standard's default, HTTP Basic. */
function clientAuthentication(secret: string): openid.ClientAuth {
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const takes = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = takes.includes('client_secret_basic') ? basic : post;
    return authenticate(server, client, body, headers);
  };
}

/** The provider answered, and what it answered ends this sign-in; anything else may be tried again. */
function isRefusal(error: unknown): boolean {
  if (error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError) return true;
  return error instanceof openid.ClientError && error.code?.startsWith('OAUTH_') === true && !isNetwork(error);
}

const NETWORK_CODES: ReadonlySet<string> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM']);

function isNetwork(error: openid.ClientError): boolean {
  return NETWORK_CODES.has(error.code ?? '');
}

function personOf(claims: Record<string, unknown>, issuer: string): Person {
  const text = (name: string) => (typeof claims[name] === 'string' && claims[name] !== '' ? claims[name] : null);
  return {
    issuer,
    subject: String(claims['sub']),
    email: text('email')?.trim().toLowerCase() ?? null,
    emailVerified: claims['email_verified'] === true,
    name: text('name'),
  };
}
