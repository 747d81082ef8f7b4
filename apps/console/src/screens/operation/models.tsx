import type { OfferedModel } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { cairn } from '../../app/client.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Chip } from '../../parts/chip.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { words } from '../../words/operation.ts';
import { DeleteKey, PutProviderKey, TestKey } from './provider-key.tsx';

export function ModelsScreen() {
  const models = useQuery({ queryKey: ['models'], queryFn: () => cairn.models.list() });
  const keys = useQuery({ queryKey: ['provider-keys'], queryFn: () => cairn.providerKeys.list() });
  const { data: who } = useWhoami();
  const may = who?.credential.scopes.includes('providers:write') === true;
  return (
    <div className="stack">
      <h1>{words.models}</h1>
      <Panel
        title={words.models}
        query={models}
        call={{ name: 'models.list', method: 'GET', path: '/models' }}
        empty={({ models: offered }) => (offered.length === 0 ? <p>{words.noModels}</p> : null)}
      >
        {({ models: offered }) => (
          <Table caption={words.models} columns={COLUMNS} rows={offered} idOf={({ id }) => id} />
        )}
      </Panel>
      <Panel
        title={words.providerKeys}
        query={keys}
        call={{ name: 'providerKeys.list', method: 'GET', path: '/provider-keys' }}
        empty={({ provider_keys }) => (provider_keys.length === 0 ? <p>{words.noProviderKeys}</p> : null)}
      >
        {({ provider_keys }) => (
          <ul className="plain">
            {provider_keys.map(({ provider }) => (
              <li key={provider} className="row">
                <strong>{provider}</strong> {may && <TestKey provider={provider} />}
                {may && <DeleteKey provider={provider} />}
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {may && (
        <section className="panel">
          <h2>{words.putProviderKey}</h2>
          <PutProviderKey />
        </section>
      )}
    </div>
  );
}

const COLUMNS: readonly Column<OfferedModel>[] = [
  { name: words.model, cell: ({ id }) => <code>{id}</code> },
  { name: words.provider, cell: ({ provider }) => provider },
  { name: words.kind, cell: ({ kind }) => kind },
  { name: words.state, cell: ({ state }) => <Chip state={state} /> },
  {
    name: words.price,
    cell: ({ price }) => (price === null ? words.unpriced : `${price.input} / ${price.output}`),
  },
];
