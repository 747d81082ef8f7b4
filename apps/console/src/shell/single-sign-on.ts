import { cairn } from '../app/client.ts';
import { words } from '../words/shell.ts';

/** Kept by this tab alone while its person is at the identity provider: whoever lacks it cannot finish. */
const ATTEMPT = 'cairn.sign-in';

/** Leads the browser to the identity provider, which leads it back. */
export async function goToProvider(invitation: string | null): Promise<void> {
  const { url, attempt } = await cairn.sessions.startSignIn(invitation === null ? {} : { invitation });
  const home = URL.parse(new URL(url).searchParams.get('redirect_uri') ?? '')?.origin ?? location.origin;
  if (home !== location.origin) {
    // The provider leads back to the installation's own address, whose pages do not see what this one keeps.
    location.assign(`${home}/console/${invitation === null ? '' : `#invitation=${invitation}`}`);
    return;
  }
  sessionStorage.setItem(ATTEMPT, attempt);
  location.assign(url);
}

/** Opens a session with what the provider added to the address. */
export async function openWithSignIn(answered: URLSearchParams): Promise<void> {
  const attempt = sessionStorage.getItem(ATTEMPT);
  sessionStorage.removeItem(ATTEMPT);
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => answered.get(name));
  if (code == null || state == null) throw new Error(words.providerRefused);
  if (attempt === null) throw new Error(words.otherTab);
  await cairn.sessions.open({ sign_in: { attempt, code, state, ...(iss == null ? {} : { iss }) } });
}
