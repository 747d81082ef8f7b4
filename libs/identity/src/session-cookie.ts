/**
 * The cookie that carries a session of the console. Behind https browsers keep it to this host, whatever a page of a
 * subdomain sets.
 */
export function sessionCookieOf(baseUrl: string | undefined): { name: string; secure: boolean } {
  const secure = baseUrl?.startsWith('https:') === true;
  return { name: secure ? '__Host-cairn_session' : 'cairn_session', secure };
}
