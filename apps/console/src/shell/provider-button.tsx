import { useMutation, useQuery } from '@tanstack/react-query';
import { cairn } from '../app/client.ts';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words/shell.ts';
import { goToLinkAccount, goToProvider } from './single-sign-on.ts';

/** How people sign in here. */
export function useSignInOptions() {
  return useQuery({ queryKey: ['sign-in'], queryFn: () => cairn.sessions.signInOptions(), staleTime: Infinity });
}

/** Signs in with the identity provider, where there is one. */
export function ProviderButton({ invitation }: { invitation: string | null }) {
  const { data } = useSignInOptions();
  const go = useMutation({ mutationFn: () => goToProvider(invitation) });
  const provider = data?.provider ?? null;
  if (provider === null) return null;
  return (
    <>
      <div>
        <button type="button" className="primary" disabled={go.isPending} onClick={() => go.mutate()}>
          {words.signInWith(provider.name)}
        </button>
      </div>
      {go.error !== null && <Problem error={go.error} />}
    </>
  );
}

/** For a member without an account at the identity provider, who cannot sign in there before it is linked. */
export function LinkAccountButton({ linked }: { linked: boolean }) {
  const { data } = useSignInOptions();
  const go = useMutation({ mutationFn: goToLinkAccount });
  const provider = data?.provider ?? null;
  if (linked || provider === null) return null;
  return (
    <>
      <button type="button" disabled={go.isPending} onClick={() => go.mutate()}>
        {words.linkAccount(provider.name)}
      </button>
      {go.error !== null && <Problem error={go.error} />}
    </>
  );
}
