import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';

const FOUND_MOST = 12;

/** Finds an entity by its name; `onFound` is called once the text is the name of one. */
export function NameFinder({ label, onFound }: { label: string; onFound: (entityId: string) => void }) {
  const memory = useMemory();
  const listId = useId();
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  const { data } = useQuery({
    queryKey: ['entities', 'found', memory, query, FOUND_MOST],
    queryFn: async () => await cairn.graph.entities.list({ ...memory, query, limit: FOUND_MOST }),
    enabled: query !== '',
  });
  return (
    <label className="grow">
      {label}
      <input
        list={listId}
        value={text}
        autoComplete="off"
        onChange={({ target }) => {
          setText(target.value);
          const found = data?.entities.find(({ name }) => name === target.value);
          if (found !== undefined) onFound(found.entity_id);
        }}
      />
      <datalist id={listId}>
        {(data?.entities ?? []).map(({ entity_id, name, type }) => (
          <option key={entity_id} value={name}>
            {type}
          </option>
        ))}
      </datalist>
    </label>
  );
}
