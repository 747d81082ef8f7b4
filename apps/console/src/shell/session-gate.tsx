import { AuthenticationError } from '@cairn/sdk';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useSignedOut } from '../app/signed-out.ts';
import { useWhoami } from '../app/who-am-i.ts';
import { Skeleton } from '../parts/panel.tsx';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words/shell.ts';
import type { StartAddress } from './start-address.ts';
import { InvitationPage } from './invitation-page.tsx';
import { ProviderButton } from './provider-button.tsx';
import { SignInForm, SignInPage } from './sign-in.tsx';

/** Without a session there is the sign-in alone; when one ends, it comes over the page, which stays as it was. */
export function SessionGate({ arrival, children }: { arrival: StartAddress; children: ReactNode }) {
  const { data, error, refetch } = useWhoami();
  const [invitation, setInvitation] = useState(arrival.invitation);
  const signedOut = useSignedOut();
  if (invitation !== null) return <InvitationPage invitation={invitation} done={() => setInvitation(null)} />;
  if (data !== undefined) {
    return (
      <>
        {children}
        {signedOut && <SignInAgain />}
      </>
    );
  }
  if (error instanceof AuthenticationError) return <SignInPage problem={arrival.problem} />;
  return (
    <main className="sign-in">
      {error === null ? <Skeleton /> : <Problem error={error} retry={() => void refetch()} />}
    </main>
  );
}

function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={title} onCancel={(event) => event.preventDefault()}>
      <div className="stack">
        <h2 id={title}>{words.signInAgain}</h2>
        <ProviderButton invitation={null} />
        <SignInForm />
      </div>
    </dialog>
  );
}
