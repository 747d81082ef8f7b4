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
  /** A page shows its keys to everybody who opens it; say so if that is meant. */
  allowKeyInBrowser?: boolean;
}

export interface Credentials {
  header(signal: AbortSignal | undefined): Promise<Record<string, string>>;
  /** After a 401: true when another credential may be had. */
  renew(): boolean;
}

/** A token is renewed this long before it ends, or halfway when it is short. */
const EARLY_SECONDS = 30;

type Post = (path: string, form: Record<string, string>, signal: AbortSignal | undefined) => Promise<unknown>;

export function credentialsOf(options: CredentialOptions, post: Post): Credentials {
  const { apiKey, oauth } = options;
  if (oauth !== undefined) return clientCredentials(oauth, post);
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
  let token: Promise<{ text: string; endsAt: number }> | undefined;
  const issue = async (signal: AbortSignal | undefined) => {
    const form = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope === undefined ? {} : { scope }),
    };
    const issued = (await post('/oauth/token', form, signal)) as { access_token: string; expires_in: number };
    const seconds = Math.max(issued.expires_in - EARLY_SECONDS, issued.expires_in / 2);
    return { text: issued.access_token, endsAt: Date.now() + seconds * 1_000 };
  };
  const current = async (signal: AbortSignal | undefined): Promise<string> => {
    const asked = (token ??= issue(signal));
    try {
      const { text, endsAt } = await asked;
      if (Date.now() < endsAt) return text;
    } catch (error) {
      if (token === asked) token = undefined;
      throw error;
    }
    if (token === asked) token = undefined;
    return current(signal);
  };
  return {
    header: async (signal) => ({ authorization: `Bearer ${await current(signal)}` }),
    renew() {
      token = undefined;
      return true;
    },
  };
}
