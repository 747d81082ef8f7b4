import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react';
import { cairn } from '../app/client.ts';
import { useMemory } from '../app/memory.ts';
import { words } from '../words/shell.ts';
import { navigationOf } from './navigation.ts';
import { placeOfId } from './place-of-id.ts';

interface Hit {
  href: string;
  name: string;
  kind: string;
}

const FOUND_MOST = 5;

/** Ctrl K: screens, documents, names, and whatever an id names. */
export function Palette({ scopes, close }: { scopes: readonly string[]; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const hits = useHits(text, scopes);
  useEffect(() => dialog.current?.showModal(), []);
  const go = (hit: Hit | undefined) => {
    if (hit === undefined) return;
    close();
    const [path, search] = hit.href.split('?');
    void navigate({ to: path!, search: (kept) => ({ ...kept, ...Object.fromEntries(new URLSearchParams(search)) }) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      go(hits[chosen]);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setChosen((chosen + step + hits.length) % Math.max(hits.length, 1));
    }
  };
  return (
    <dialog ref={dialog} className="palette" aria-label={words.find} onClose={close}>
      <input
        role="combobox"
        aria-label={words.findHint}
        aria-expanded="true"
        aria-controls="palette-hits"
        aria-activedescendant={hits.length > 0 ? `hit-${chosen}` : undefined}
        placeholder={words.findHint}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-hits" className="hits" role="listbox" aria-label={words.find}>
        {hits.map((hit, index) => (
          // The field above has the keyboard.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={hit.href + hit.kind}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            onClick={() => go(hit)}
          >
            {hit.name} <span className="quiet small">{hit.kind}</span>
          </div>
        ))}
      </div>
      {hits.length === 0 && <p className="quiet">{words.nothingFound}</p>}
    </dialog>
  );
}

function useHits(text: string, scopes: readonly string[]): Hit[] {
  const memory = useMemory();
  const query = useDeferredValue(text.trim());
  const asks = query.length >= 2 && placeOfId(query) === null;
  const documents = useQuery({
    queryKey: ['documents', 'found', memory, query],
    queryFn: async () => await cairn.documents.list({ ...memory, query, limit: FOUND_MOST }),
    enabled: asks && scopes.includes('documents:read'),
  });
  const entities = useQuery({
    queryKey: ['entities', 'found', memory, query],
    queryFn: async () => await cairn.graph.entities.list({ ...memory, query, limit: FOUND_MOST }),
    enabled: asks && scopes.includes('graph:read'),
  });
  const place = placeOfId(text);
  const screens = navigationOf(scopes)
    .flatMap((group) => group.screens)
    .filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ to, name }) => ({ href: to, name, kind: '' }));
  const found = (documents.data?.documents ?? []).map((each) => ({
    href: `/documents/${each.doc_id}`,
    name: each.title,
    kind: words.screens.documents,
  }));
  const named = (entities.data?.entities ?? []).map((each) => ({
    href: `/entities/${each.entity_id}`,
    name: each.name,
    kind: each.type,
  }));
  if (place !== null) return [{ href: place, name: text.trim(), kind: place.split('/')[1] ?? '' }];
  return asks ? [...screens, ...found, ...named] : screens;
}
