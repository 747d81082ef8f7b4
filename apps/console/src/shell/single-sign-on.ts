import { cairn } from '../app/client.ts';
import { openSession } from '../app/open-session.ts';
import { words } from '../words/shell.ts';

/** Kept by this tab alone while its person is at the identity provider: whoever lacks it cannot finish. */
const ATTEMPT = 'cairn.sign-in';

/** What an app or the command line asks for, kept for when its person has signed in. */
const LEFT = 'cairn.asked-for';
const ASKING = ['/console/authorize', '/console/command-line'];

/** The page that the person left for the identity provider, once: what asked for something, or else home. */
export function pageToReturnTo(): string {
  const left = sessionStorage.getItem(LEFT);
  sessionStorage.removeItem(LEFT);
  return left !== null && ASKING.some((page) => left.startsWith(`${page}?`)) ? left : '/console/';
}

/** Leads the browser to the identity provider, which leads it back. */
export async function goToProvider(invitation: string | null): Promise<void> {
  const started = await cairn.sessions.startSignIn(invitation === null ? {} : { invitation });
  leave(started, invitation === null ? '' : `#invitation=${invitation}`);
}

/** The same, to link the account to the member who is signed in. */
export async function goToLinkAccount(): Promise<void> {
  leave(await cairn.sessions.startLink(), '');
}

function leave({ url, attempt }: { url: string; attempt: string }, hash: string): void {
  const home = URL.parse(new URL(url).searchParams.get('redirect_uri') ?? '')?.origin ?? location.origin;
  if (home !== location.origin) {
    // The provider leads back to the installation's own address, whose pages do not see what this one keeps.
    location.assign(`${home}/console/${hash}`);
    return;
  }
  sessionStorage.setItem(ATTEMPT, attempt);
  if (ASKING.includes(location.pathname)) sessionStorage.setItem(LEFT, location.pathname + location.search);
  location.assign(url);
}

/** Opens a session with what the provider added to the address. */
export async function openWithSignIn(answered: URLSearchParams): Promise<void> {
  const attempt = sessionStorage.getItem(ATTEMPT);
  sessionStorage.removeItem(ATTEMPT);
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => answered.get(name));
  if (code == null || state == null) throw new Error(words.providerRefused);
  if (attempt === null) throw new Error(words.otherTab);
  await openSession({ sign_in: { attempt, code, state, ...(iss == null ? {} : { iss }) } });
}
