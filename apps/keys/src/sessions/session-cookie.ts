import { sessionCookieOf } from '@cairn/identity';
import { stringifySetCookie } from 'cookie';

/** The `Set-Cookie` header that carries a session; no script can read it. */
export function sessionCookie(baseUrl: string, secret: string, expires: Date): Record<string, string> {
  return { 'set-cookie': setCookie(baseUrl, secret, expires) };
}

/** The `Set-Cookie` header that deletes it. */
export function withoutSessionCookie(baseUrl: string): Record<string, string> {
  return { 'set-cookie': setCookie(baseUrl, '', new Date(0)) };
}

function setCookie(baseUrl: string, value: string, expires: Date): string {
  const { name, secure } = sessionCookieOf(baseUrl);
  return stringifySetCookie({ name, value, expires, secure, path: '/', httpOnly: true, sameSite: 'strict' });
}
