import type { CreateOAuthClientRequest } from '@cairn/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { cairn } from '../../app/client.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Problem } from '../../parts/problem.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { words } from '../../words/access.ts';
import { chosenScopes, ScopeChoice } from './scope-choice.tsx';

/** A client can do no more than the session that makes it. */
export function CreateClient() {
  const { data: who } = useWhoami();
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (request: CreateOAuthClientRequest) => cairn.oauthClients.create(request),
    onSuccess: () => client.invalidateQueries({ queryKey: ['clients'] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({
      name: String(form.get('name')).trim(),
      scopes: chosenScopes(form, who?.credential.scopes ?? []),
    });
  };
  return (
    <form className="panel stack" onSubmit={submit}>
      <div className="row">
        <label className="grow">
          {words.createClient}
          <input name="name" required placeholder={words.name} autoComplete="off" />
        </label>
        <ScopeChoice />
        <button type="submit" className="primary" disabled={create.isPending}>
          {words.create}
        </button>
      </div>
      <p className="quiet small">{words.clientHint}</p>
      {create.error !== null && <Problem error={create.error} />}
      {create.data?.client_secret !== undefined && (
        <>
          <p>
            {words.clientId} <code>{create.data.client_id}</code>
          </p>
          <SecretOnce secret={create.data.client_secret} hint={words.shownOnce} />
        </>
      )}
    </form>
  );
}
