import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { setSignedOut } from '../app/signed-out.ts';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words/shell.ts';
import { environmentOfTab, switchEnvironment } from '../app/environment.ts';
import { openSession } from '../app/open-session.ts';
import { pageMayStay } from '../app/who-am-i.ts';
import { ProviderButton } from './provider-button.tsx';

/** The key goes from the field into one request, and is kept nowhere. */
export function SignInForm() {
  const client = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const key = String(new FormData(form).get('key') ?? '').trim();
    setBusy(true);
    try {
      await openSession({ api_key: key });
      form.reset();
      if (!(await pageMayStay(client))) {
        // With a key of another tenant or environment, nothing of what is on the screen may stay.
        client.clear();
        location.assign('/console/');
        return;
      }
      setSignedOut(false);
      await client.invalidateQueries();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <p className="quiet">{words.signInHint}</p>
      <label className="field">
        {words.key}
        <input name="key" type="password" required autoComplete="off" spellCheck={false} className="mono" />
      </label>
      {error !== null && <Problem error={error} />}
      <div>
        <button type="submit" className="primary" disabled={busy}>
          {words.signIn}
        </button>
      </div>
    </form>
  );
}

export function SignInPage({ problem }: { problem: unknown }) {
  return (
    <main className="sign-in stack">
      <h1>Cairn</h1>
      {problem !== null && <Problem error={problem} />}
      {environmentOfTab() === 'test' && (
        <p className="notice">
          <span>{words.signInToTest}</span>{' '}
          <button type="button" className="link" onClick={() => switchEnvironment('live')}>
            {words.backToLive}
          </button>
        </p>
      )}
      <section className="panel stack">
        <ProviderButton invitation={null} />
        <SignInForm />
      </section>
    </main>
  );
}
