import { CairnError } from './errors.ts';

/** A key, or a function that gives the one of the moment, so that a rotation needs no restart. */
export type KeySource = string | (() => string | Promise<string>);

export interface OAuthSource {
  clientId: string;
  clientSecret: string;
  /** Default: all that the client may do. */
  scope?: string;
}

export interface CredentialOptions {
  apiKey?: KeySource;
  /** An OAuth client instead of a key; its tokens are renewed before they end. */
  oauth?: OAuthSource;
  /**
   * The page was served by Cairn and its user has signed in: the browser sends the session's cookie, and the page holds
   * no credential at all.
   */
  signedIn?: boolean;
  /** A page shows its keys to everybody who opens it; say so if that is meant. */
  allowKeyInBrowser?: boolean;
}

export interface Credentials {
  header(): Promise<Record<string, string>>;
  /** After a 401: true when another credential may be had. */
  renew(): boolean;
}

/** A token is renewed this long before it ends, or halfway when it is short. */
const EARLY_SECONDS = 30;
/** Where the answer does not say. */
const DEFAULT_LIFETIME_SECONDS = 600;

type Post = (path: string, form: Record<string, string>) => Promise<unknown>;

export function credentialsOf(options: CredentialOptions, post: Post): Credentials {
  const { apiKey, oauth } = options;
  if (oauth !== undefined) return clientCredentials(oauth, post);
  if (options.signedIn === true) return { header: async () => ({}), renew: () => false };
  if (apiKey === undefined || apiKey === '') throw new CairnError('Give apiKey or oauth: there is no credential.');
  if (typeof apiKey === 'string') refuseInBrowser(apiKey, options.allowKeyInBrowser);
  return {
    async header() {
      const key = typeof apiKey === 'string' ? apiKey : await apiKey();
      refuseInBrowser(key, options.allowKeyInBrowser);
      return { 'x-api-key': key };
    },
    renew: () => typeof apiKey !== 'string',
  };
}

function refuseInBrowser(key: string, allowed: boolean | undefined): void {
  const inBrowser = typeof (globalThis as { document?: unknown }).document !== 'undefined';
  if (inBrowser && key.startsWith('ck_') && allowed !== true)
    throw new CairnError('A tenant key does not belong into a page: everybody who opens it could read the key.');
}

function clientCredentials({ clientId, clientSecret, scope }: OAuthSource, post: Post): Credentials {
  let token: Promise<{ text: string; issuedAt: number; endsAt: number }> | undefined;
  const issue = async () => {
    const form = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope === undefined ? {} : { scope }),
    };
    const issued = (await post('/oauth/token', form)) as { access_token: string; expires_in?: number };
    const lifetime = issued.expires_in ?? DEFAULT_LIFETIME_SECONDS;
    const seconds = Math.max(lifetime - EARLY_SECONDS, lifetime / 2);
    const issuedAt = Date.now();
    return { text: issued.access_token, issuedAt, endsAt: issuedAt + seconds * 1_000 };
  };
  /** The one request that all callers wait for. */
  const ask = () => {
    const asked = issue();
    token = asked;
    asked.catch(() => {
      if (token === asked) token = undefined;
    });
    return asked;
  };
  return {
    async header() {
      const begun = Date.now();
      for (;;) {
        const asked = token ?? ask();
        const { text, issuedAt, endsAt } = await asked;
        // However short its life, a new one is tried once.
        if (Date.now() < endsAt || issuedAt >= begun) return { authorization: `Bearer ${text}` };
        if (token === asked) token = undefined;
      }
    },
    renew() {
      token = undefined;
      return true;
    },
  };
}
