import type { CreateApiKeyRequest } from '@cairn/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { cairn } from '../../app/client.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Problem } from '../../parts/problem.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { words } from '../../words/access.ts';
import { chosenScopes, ScopeChoice } from './scope-choice.tsx';

/** No key can do more than the session that makes it, so the choice begins with what that may do. */
export function CreateKey() {
  const { data: who } = useWhoami();
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (request: CreateApiKeyRequest) => cairn.keys.create(request),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({
      name: String(form.get('name')).trim(),
      type: form.get('type') === 'ephemeral' ? 'ephemeral' : (who?.credential.environment ?? 'live'),
      scopes: chosenScopes(form, who?.credential.scopes ?? []),
    });
  };
  return (
    <form className="panel stack" onSubmit={submit}>
      <div className="row">
        <label className="grow">
          {words.createKey}
          <input name="name" required placeholder={words.name} autoComplete="off" />
        </label>
        <label>
          {words.type}
          <select name="type">
            <option value="lasting">{who?.credential.environment ?? words.live}</option>
            <option value="ephemeral">{words.ephemeral}</option>
          </select>
        </label>
        <ScopeChoice />
        <button type="submit" className="primary" disabled={create.isPending}>
          {words.create}
        </button>
      </div>
      {create.error !== null && <Problem error={create.error} />}
      {create.data?.api_key !== undefined && <SecretOnce secret={create.data.api_key} hint={words.shownOnce} />}
    </form>
  );
}
