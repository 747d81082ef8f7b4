import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { cairn } from '../../app/client.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { words } from '../../words/operation.ts';

/** A key of the tenant's own for a provider of models; a second one for the same provider takes the place of the first. */
export function PutProviderKey() {
  const client = useQueryClient();
  const put = useMutation({
    mutationFn: ({ provider, apiKey, baseUrl }: { provider: string; apiKey: string; baseUrl: string }) =>
      cairn.providerKeys.put(provider, { api_key: apiKey, ...(baseUrl === '' ? {} : { base_url: baseUrl }) }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['provider-keys'] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const [provider, apiKey, baseUrl] = ['provider', 'key', 'url'].map((name) =>
      String(new FormData(form).get(name)).trim(),
    ) as [string, string, string];
    // What was typed is not left in the page.
    put.mutate({ provider, apiKey, baseUrl }, { onSuccess: () => form.reset() });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="row">
        <label>
          {words.provider}
          <input name="provider" required pattern="[a-z0-9\-]+" placeholder="openai" autoComplete="off" />
        </label>
        <label className="grow">
          {words.key}
          <input name="key" type="password" required autoComplete="off" />
        </label>
        <label>
          {words.baseUrl}
          <input name="url" type="url" autoComplete="off" />
        </label>
        <button type="submit" className="primary" disabled={put.isPending}>
          {words.keep}
        </button>
      </div>
      {put.error !== null && <Problem error={put.error} />}
    </form>
  );
}

export function TestKey({ provider }: { provider: string }) {
  const test = useMutation({ mutationFn: () => cairn.providerKeys.test(provider) });
  return (
    <>
      <button type="button" disabled={test.isPending} onClick={() => test.mutate()}>
        {words.test}
      </button>
      {test.data !== undefined && (
        <span className={test.data.ok ? 'good' : 'bad'}>{test.data.ok ? words.works : test.data.detail}</span>
      )}
      {test.error !== null && <Problem error={test.error} />}
    </>
  );
}

export function DeleteKey({ provider }: { provider: string }) {
  const client = useQueryClient();
  const remove = async () => {
    await cairn.providerKeys.delete(provider);
    await client.invalidateQueries({ queryKey: ['provider-keys'] });
  };
  return (
    <ConfirmButton label={words.delete} name={provider} act={remove}>
      {words.deleteKeyWhat(provider)}
    </ConfirmButton>
  );
}
