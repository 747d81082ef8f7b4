/**
 * The cookie that carries a session of the console. Behind https browsers keep it to this host, whatever a page of a
 * subdomain sets.
 */
export function sessionCookieOf(baseUrl: string | undefined, livemode: boolean): { name: string; secure: boolean } {
  const secure = baseUrl?.startsWith('https:') === true;
  const name = livemode ? 'cairn_session' : 'cairn_test_session';
  return { name: secure ? `__Host-${name}` : name, secure };
}
