import type { AuthorizationPreview } from '@cairn/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent } from 'react';
import { cairn } from '../../app/client.ts';
import type { Scope } from '../../app/who-am-i.ts';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { words } from '../../words/access.ts';

/** What the endpoint of a space itself needs. */
const NEEDED: Scope = 'spaces:read';

/** What only reads is ticked from the start; what changes anything is ticked by the person's own hand. */
const isReading = (scope: string) => !scope.endsWith(':write');

type AuthorizationParameters = Partial<Record<string, string>>;

/** An app leads its person here to be connected to a space: who asks, for what, and yes or no. */
export function AuthorizeScreen() {
  const request = requestOf(useSearch({ strict: false }));
  if (request === null) {
    return (
      <div className="stack">
        <h1>{words.authorize}</h1>
        <p className="notice warn" role="alert">
          <span>{words.incomplete}</span>
        </p>
      </div>
    );
  }
  return <Authorize request={request} />;
}

type Request = Parameters<typeof cairn.apps.preview>[0];

/** Null for what no client of the protocol sends; everything else is judged by the server. */
function requestOf(asked: AuthorizationParameters): Request | null {
  const { client_id, redirect_uri, resource, scope, state, code_challenge } = asked;
  const isKnown = asked['response_type'] === 'code' && asked['code_challenge_method'] === 'S256';
  if (!isKnown || !client_id || !redirect_uri || !resource || !code_challenge) return null;
  return {
    response_type: 'code',
    code_challenge_method: 'S256',
    client_id,
    redirect_uri,
    resource,
    code_challenge,
    ...(scope === undefined ? {} : { scope }),
    ...(state === undefined ? {} : { state }),
  };
}

function Authorize({ request }: { request: Request }) {
  const query = useQuery({
    queryKey: ['authorization', request],
    queryFn: async () => await cairn.apps.preview(request),
    retry: false,
  });
  return (
    <div className="stack">
      <h1>{words.authorize}</h1>
      <Panel title={words.authorize} query={query}>
        {(preview) => <Consent request={request} preview={preview} />}
      </Panel>
    </div>
  );
}

function Consent({ request, preview }: { request: Request; preview: AuthorizationPreview }) {
  const { client, space, scopes } = preview;
  const connect = useMutation({
    mutationFn: async (granted: Scope[]) => {
      const { response_type: _type, scope: _scope, ...rest } = request;
      return await cairn.apps.authorize({ ...rest, scopes: granted });
    },
    onSuccess: ({ redirect_to }) => location.assign(redirect_to),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const ticked = new FormData(event.currentTarget).getAll('scope');
    connect.mutate(scopes.filter((scope) => scope === NEEDED || ticked.includes(scope)));
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>{words.asks(client.name, space.name)}</p>
      <p className="quiet">{words.nameUnchecked}</p>
      <p>{client.on_this_device ? words.ledToDevice(client.redirect_host) : words.ledTo(client.redirect_host)}</p>
      <fieldset>
        <legend>{words.mayDo}</legend>
        {scopes.map((scope) => (
          <label key={scope} className="row">
            <input
              type="checkbox"
              name="scope"
              value={scope}
              defaultChecked={isReading(scope)}
              disabled={scope === NEEDED}
            />
            {words.granted[scope] ?? scope}
          </label>
        ))}
      </fieldset>
      <p className="quiet">{words.endsWith}</p>
      {connect.error !== null && <Problem error={connect.error} />}
      <div className="row">
        <button type="submit" className="primary" disabled={connect.isPending || connect.isSuccess}>
          {words.allow}
        </button>
        <button type="button" onClick={() => location.assign(preview.denied_url)}>
          {words.deny}
        </button>
      </div>
    </form>
  );
}
