import type { Space } from '@cairn/sdk';
import { useMutation } from '@tanstack/react-query';
import { cairn } from '../../app/client.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { words } from '../../words/access.ts';
import { configurationOf } from './mcp-configuration.ts';

/** The address of a space for agents, a ready configuration, and a key for it. */
export function ConnectAgent({ space }: { space: Space }) {
  const { data: who } = useWhoami();
  const mint = useMutation({
    mutationFn: () =>
      cairn.keys.create({
        name: `Agent in ${space.name}`,
        type: 'memory',
        memory_id: space.memory_id,
        space_id: space.space_id,
      }),
  });
  const key = mint.data?.api_key;
  const configuration = configurationOf(space, key);
  return (
    <details className="code">
      <summary>{words.connect}</summary>
      <div>
        <p className="quiet">{words.connectHint}</p>
        <p className="row">
          <code>{space.mcp_url}</code> <CopyButton text={space.mcp_url} />
        </p>
        {who?.credential.scopes.includes('keys:write') === true && (
          <div>
            <button type="button" disabled={mint.isPending || key !== undefined} onClick={() => mint.mutate()}>
              {words.mintKey}
            </button>
          </div>
        )}
        {mint.error !== null && <Problem error={mint.error} />}
        {key !== undefined && <SecretOnce secret={key} hint={words.shownOnce} />}
        <pre tabIndex={0}>{configuration}</pre>
        <div>
          <CopyButton text={configuration} />
        </div>
      </div>
    </details>
  );
}
