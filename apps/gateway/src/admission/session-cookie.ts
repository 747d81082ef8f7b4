import type { IncomingMessage } from 'node:http';
import { SESSION_PREFIX } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { sessionCookieOf } from '@cairn/identity';
import { parseCookie } from 'cookie';

/** Methods that change nothing, which a browser may send without saying from which page. */
const SAFE_METHODS = new Set(['GET', 'HEAD']);
const COOKIE_MAX_CHARS = 8_192;
/** Which of its two sessions a browser means. */
const ENVIRONMENT_HEADER = 'cairn-environment';

/**
 * Reads the session of the console from a request's cookie. Browsers send cookies by themselves, so that the request
 * must come from a page of the host that it asks.
 */
export class SessionCookies {
  private readonly names: Record<'live' | 'test', string>;
  private readonly secure: boolean;
  private readonly ownHost: string | null;

  constructor(baseUrl: string | undefined) {
    const { name, secure } = sessionCookieOf(baseUrl, true);
    this.names = { live: name, test: sessionCookieOf(baseUrl, false).name };
    this.secure = secure;
    this.ownHost = baseUrl === undefined ? null : new URL(baseUrl).host;
  }

  /**
   * The secret of the session of the environment that `Cairn-Environment` names, else of the live one or, without one,
   * the test one; undefined when the request has none. Throws `permission_denied` for one that a page of
   * another host had sent, and `credential_invalid` for a cookie that is no session.
   */
  sessionOf(request: IncomingMessage, cookie: string | undefined): string | undefined {
    if (cookie === undefined) return undefined;
    const cookies = cookie.length > COOKIE_MAX_CHARS ? {} : parseCookie(cookie);
    const name = this.namesFor(request).find((each) => cookies[each] !== undefined && cookies[each] !== '');
    if (name === undefined) return undefined;
    const value = cookies[name]!;
    this.assertOwnPage(request);
    // A subdomain can set a second one of the same name.
    if (!value.startsWith(SESSION_PREFIX) || cookie.split(`${name}=`).length > 2)
      throw new CairnError('credential_invalid', 'The session is not valid; sign in again.');
    return value;
  }

  private namesFor({ headers }: IncomingMessage): string[] {
    const { [ENVIRONMENT_HEADER]: environment } = headers;
    if (environment === undefined) return [this.names.live, this.names.test];
    if (environment === 'live' || environment === 'test') return [this.names[environment]];
    throw new CairnError('credential_invalid', 'Cairn-Environment has to be live or test.');
  }

  /** Throws `permission_denied` for a request that a page of another host had the browser send. */
  assertOwnPage(request: IncomingMessage): void {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isSafe = SAFE_METHODS.has(request.method ?? '');
    const isOwn = origin === undefined ? isSafe : this.isOwnOrigin(origin, request.headers.host ?? '');
    if (!isOwn || site === 'cross-site' || site === 'same-site')
      throw new CairnError('permission_denied', 'A session is only accepted from pages of this host.');
  }

  /** Programs that are no browsers name neither. */
  assertNoForeignPage(request: IncomingMessage): void {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (origin !== undefined || site !== undefined) this.assertOwnPage(request);
  }

  private isOwnOrigin(origin: string, host: string): boolean {
    const page = URL.parse(origin);
    // Who sits between a browser and an address without TLS can make pages of it.
    if (page === null || page.host === '' || (this.secure && page.protocol !== 'https:')) return false;
    return page.host === host.toLowerCase() || page.host === this.ownHost;
  }
}
