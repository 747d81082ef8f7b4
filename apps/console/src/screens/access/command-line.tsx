import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { cairn } from '../../app/client.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { bytesOf, type Seal, sealTo } from '../../text/seal.ts';
import { words } from '../../words/access.ts';
import { chosenScopes, ScopeChoice } from './scope-choice.tsx';

const route = getRouteApi('/command-line');
const DAY_MS = 24 * 60 * 60 * 1_000;
const DAYS = [90, 30, 7, 365];
const NAME_MAX = 100;

/** What `cairn login` asks for: a key for its machine, encrypted to its public key. */
interface KeyRequest {
  publicKey: Uint8Array<ArrayBuffer>;
  machine: string;
  /** Redirects to the command line with the answer; null where the person copies it. */
  redirect: ((answer: Record<string, string>) => void) | null;
}

/** Where `cairn login` sends a person to create a key for its machine, or to refuse. */
export function CommandLineScreen() {
  const keyRequest = readKeyRequest(route.useSearch());
  const { data: who } = useWhoami();
  return (
    <div className="stack">
      <h1>{words.commandLine}</h1>
      {keyRequest === null || !isSecureContext ? (
        <p className="notice warn" role="alert">
          <span>{keyRequest === null ? words.commandLineIncomplete : words.needsHttps}</span>
        </p>
      ) : who?.credential.scopes.includes('keys:write') === true ? (
        <MakeKey keyRequest={keyRequest} />
      ) : (
        <p>{words.nobodyMay}</p>
      )}
    </div>
  );
}

/** Null for what no command line sends. It redirects to the loopback interface and nowhere else. */
function readKeyRequest(search: {
  public_key?: string;
  machine?: string;
  state?: string;
  port?: string;
}): KeyRequest | null {
  const { public_key = '', machine, state, port } = search;
  const publicKey = bytesOf(public_key);
  if (publicKey === null || machine === undefined || state === undefined) return null;
  if (port === undefined) return { publicKey, machine, redirect: null };
  if (!/^[1-9]\d{0,4}$/.test(port)) return null;
  return {
    publicKey,
    machine,
    redirect: (answer) =>
      location.assign(`http://127.0.0.1:${port}/callback?${new URLSearchParams({ state, ...answer }).toString()}`),
  };
}

function MakeKey({ keyRequest }: { keyRequest: KeyRequest }) {
  // Before a key is made: one that cannot be sealed would be of use to nobody.
  const seal = useQuery({
    queryKey: ['command-line', keyRequest.publicKey],
    queryFn: async () => {
      try {
        return await sealTo(keyRequest.publicKey);
      } catch (cause) {
        throw new Error(words.commandLineIncomplete, { cause });
      }
    },
    retry: false,
  });
  return (
    <Panel title={words.createKey} query={seal}>
      {(ready) => <Confirm keyRequest={keyRequest} seal={ready} />}
    </Panel>
  );
}

function Confirm({ keyRequest, seal }: { keyRequest: KeyRequest; seal: Seal }) {
  const { data: who } = useWhoami();
  const make = useMutation({
    mutationFn: async (form: FormData) => {
      const days = Number(form.get('days'));
      const { api_key = '' } = await cairn.keys.create({
        name: `cairn on ${keyRequest.machine}`.slice(0, NAME_MAX),
        type: who?.credential.environment ?? 'live',
        scopes: chosenScopes(form, who?.credential.scopes ?? []),
        ...(days === 0 ? {} : { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() }),
      });
      return seal.close(api_key);
    },
    onSuccess: (sealed) => keyRequest.redirect?.({ sealed }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    make.mutate(new FormData(event.currentTarget));
  };
  if (make.data !== undefined) return <Made sealed={make.data} isHanded={keyRequest.redirect !== null} />;
  return (
    <form className="stack" onSubmit={submit}>
      <p>{words.commandLineAsks(keyRequest.machine)}</p>
      <p>{words.sameCode}</p>
      <p>
        <strong className="mono">{seal.code}</strong>
      </p>
      <div className="row">
        <ScopeChoice />
        <label>
          {words.lasts}
          <select name="days">
            {DAYS.map((days) => (
              <option key={days} value={days}>
                {words.days(days)}
              </option>
            ))}
            <option value="0">{words.noEnd}</option>
          </select>
        </label>
      </div>
      {make.error !== null && <Problem error={make.error} />}
      <div className="row">
        <button type="submit" className="primary" disabled={make.isPending}>
          {words.makeKey}
        </button>
        {keyRequest.redirect !== null && (
          <button type="button" onClick={() => keyRequest.redirect?.({ error: 'access_denied' })}>
            {words.deny}
          </button>
        )}
      </div>
    </form>
  );
}

function Made({ sealed, isHanded }: { sealed: string; isHanded: boolean }) {
  if (isHanded) return <p role="status">{words.handed}</p>;
  return (
    <div className="notice" role="status">
      <p>
        {words.pasteIt} <CopyButton text={sealed} />
      </p>
      <pre>{sealed}</pre>
    </div>
  );
}
