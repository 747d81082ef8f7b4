import type { Memory, Space } from '@cairn/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { cairn } from '../../app/client.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Chip } from '../../parts/chip.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { words } from '../../words/access.ts';
import { ConnectAgent } from './connect-agent.tsx';
import { MemorySettings } from './memory-settings.tsx';

const MOST = 100;

export function MemoriesScreen() {
  const { data: who } = useWhoami();
  const query = useQuery({
    queryKey: ['memories'],
    queryFn: async () => await cairn.memories.list({ limit: MOST }),
  });
  return (
    <div className="stack">
      <h1>{words.memories}</h1>
      {who?.credential.scopes.includes('memories:write') === true && (
        <CreateByName
          label={words.createMemory}
          create={(display_name) => cairn.memories.create({ display_name })}
          changes="memories"
        />
      )}
      <Panel title={words.memories} query={query} call={{ name: 'memories.list', method: 'GET', path: '/memories' }}>
        {({ memories }) => (
          <ul className="plain">
            {memories.map((memory) => (
              <MemoryPart key={memory.memory_id} memory={memory} />
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}

function MemoryPart({ memory }: { memory: Memory }) {
  const { memory_id, display_name, status, type, subdomain } = memory;
  const { data: who } = useWhoami();
  const query = useQuery({
    queryKey: ['spaces', { memory_id }],
    queryFn: async () => await cairn.spaces.list({ memory_id, limit: MOST }),
    enabled: who?.credential.scopes.includes('spaces:read') ?? false,
  });
  return (
    <li className="stack">
      <div className="row">
        <h3>{display_name}</h3> <Chip state={status} /> <code>{memory_id}</code>
      </div>
      <dl>
        <dt>{words.type}</dt>
        <dd>{type}</dd>
        <MemorySettings memory={memory} />
        <dt>{words.host}</dt>
        <dd>{subdomain}</dd>
      </dl>
      <Panel
        title={words.spaces}
        query={query}
        call={{ name: 'spaces.list', method: 'GET', path: '/spaces', query: { memory_id } }}
        empty={({ spaces }) => (spaces.length === 0 ? <p>{words.noSpaces}</p> : null)}
      >
        {({ spaces }) => (
          <ul className="plain">
            {spaces.map((space) => (
              <SpacePart key={space.space_id} space={space} />
            ))}
          </ul>
        )}
      </Panel>
      {who?.credential.scopes.includes('spaces:write') === true && (
        <CreateByName
          label={words.createSpace}
          create={(name) => cairn.spaces.create({ name, memory_id })}
          changes="spaces"
        />
      )}
    </li>
  );
}

function SpacePart({ space }: { space: Space }) {
  return (
    <li>
      <strong>{space.name}</strong> <code>{space.space_id}</code>{' '}
      <span className="quiet small">
        {space.member_count} {words.members.toLowerCase()}
      </span>
      {space.description !== '' && <p className="quiet">{space.description}</p>}
      <ConnectAgent space={space} />
    </li>
  );
}

interface CreateByNameProps {
  label: string;
  create: (name: string) => Promise<unknown>;
  /** The lists that have one more afterwards. */
  changes: string;
}

function CreateByName({ label, create, changes }: CreateByNameProps) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const act = useMutation({
    mutationFn: create,
    onSuccess: async () => {
      setName('');
      await client.invalidateQueries({ queryKey: [changes] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate(name.trim());
  };
  return (
    <form className="row" onSubmit={submit}>
      <input
        aria-label={label}
        placeholder={label}
        required
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" disabled={act.isPending}>
        {words.create}
      </button>
      {act.error !== null && <Problem error={act.error} />}
    </form>
  );
}
