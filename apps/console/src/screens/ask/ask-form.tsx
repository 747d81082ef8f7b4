import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { words } from '../../words/ask.ts';

const QUERY_MAX_CHARS = 4_000;
const SPACES_MOST = 100;

interface AskFormProps {
  search: { q?: string; space?: string; as_of?: string; model?: string };
  submit: (event: FormEvent<HTMLFormElement>) => void;
  running: boolean;
}

export function AskForm({ search, submit, running }: AskFormProps) {
  const memory = useMemory();
  const { data: who } = useWhoami();
  const spaces = useQuery({
    queryKey: ['spaces', memory],
    queryFn: async () => await cairn.spaces.list({ ...memory, limit: SPACES_MOST }),
    enabled: who?.credential.scopes.includes('spaces:read') ?? false,
  });
  const models = who?.features?.language_models ?? [];
  const hasOptions = search.space !== undefined || search.as_of !== undefined || search.model !== undefined;
  return (
    <form className="panel stack" onSubmit={submit}>
      <div className="row">
        <label className="grow">
          <span className="visually-hidden">{words.question}</span>
          <input
            name="q"
            defaultValue={search.q ?? ''}
            maxLength={QUERY_MAX_CHARS}
            required
            // The one field of this screen, which is opened to type in it.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={search.q === undefined}
            placeholder={words.question}
            autoComplete="off"
          />
        </label>
        <button type="submit" className="primary">
          {running ? words.answering : words.ask}
        </button>
      </div>
      <details open={hasOptions}>
        <summary>{words.options}</summary>
        <div className="row">
          <label>
            {words.space}
            <select name="space" defaultValue={search.space ?? ''} key={spaces.data?.spaces.length ?? 0}>
              <option value="">{words.everySpace}</option>
              {(spaces.data?.spaces ?? []).map(({ space_id, name }) => (
                <option key={space_id} value={space_id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            {words.asOf}
            <input name="as_of" type="date" defaultValue={search.as_of ?? ''} />
          </label>
          {models.length > 0 && (
            <label>
              {words.model}
              <select name="model" defaultValue={search.model ?? ''}>
                <option value="">{words.defaultModel}</option>
                {models.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
        </div>
      </details>
    </form>
  );
}
