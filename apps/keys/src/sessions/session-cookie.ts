import { sessionCookieOf } from '@cairn/identity';
import { stringifySetCookie } from 'cookie';

interface Place {
  baseUrl: string;
  /** A browser has one session of each environment. */
  livemode: boolean;
}

/** The `Set-Cookie` header that carries a session; no script can read it. */
export function sessionCookie(place: Place, secret: string, expires: Date): Record<string, string> {
  return { 'set-cookie': setCookie(place, secret, expires) };
}

/** The `Set-Cookie` header that deletes it. */
export function withoutSessionCookie(place: Place): Record<string, string> {
  return { 'set-cookie': setCookie(place, '', new Date(0)) };
}

function setCookie({ baseUrl, livemode }: Place, value: string, expires: Date): string {
  const { name, secure } = sessionCookieOf(baseUrl, livemode);
  return stringifySetCookie({ name, value, expires, secure, path: '/', httpOnly: true, sameSite: 'strict' });
}
