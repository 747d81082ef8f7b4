import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { openSession } from '../app/open-session.ts';
import { setSignedOut } from '../app/signed-out.ts';
import { Skeleton } from '../parts/panel.tsx';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words/shell.ts';
import { ProviderButton, useSignInOptions } from './provider-button.tsx';

/** Somebody came by an invitation: with an identity provider that says who they are, without one they do. */
export function InvitationPage({ invitation, done }: { invitation: string; done: () => void }) {
  const { data, error, refetch } = useSignInOptions();
  return (
    <main className="sign-in stack">
      <h1>{words.invited}</h1>
      <section className="panel stack">
        {data === undefined && (error === null ? <Skeleton /> : <Problem error={error} retry={() => void refetch()} />)}
        {data !== undefined &&
          (data.provider === null ? (
            <AcceptForm invitation={invitation} done={done} />
          ) : (
            <ProviderButton invitation={invitation} />
          ))}
        <div>
          <button type="button" className="link" onClick={done}>
            {words.notNow}
          </button>
        </div>
      </section>
    </main>
  );
}

function AcceptForm({ invitation, done }: { invitation: string; done: () => void }) {
  const client = useQueryClient();
  const accept = useMutation({
    mutationFn: (name: string) => openSession({ invitation: { secret: invitation, name } }),
    onSuccess: async () => {
      setSignedOut(false);
      await client.resetQueries();
      done();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    accept.mutate(String(new FormData(event.currentTarget).get('name')).trim());
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p className="quiet">{words.invitedHint}</p>
      <label className="field">
        {words.yourName}
        <input name="name" required maxLength={200} autoComplete="name" />
      </label>
      {accept.error !== null && <Problem error={accept.error} />}
      <div>
        <button type="submit" className="primary" disabled={accept.isPending}>
          {words.join}
        </button>
      </div>
    </form>
  );
}
