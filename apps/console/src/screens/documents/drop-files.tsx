import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { Problem } from '../../parts/problem.tsx';
import { words } from '../../words/documents.ts';

interface Refused {
  name: string;
  error: unknown;
}

/** Takes files one after the other; one that is refused does not hold up the others. */
export function DropFiles() {
  const memory = useMemory();
  const client = useQueryClient();
  const [over, setOver] = useState(false);
  const [left, setLeft] = useState(0);
  const [taken, setTaken] = useState(0);
  const [refused, setRefused] = useState<Refused[]>([]);
  const send = async (files: readonly File[]) => {
    setTaken(0);
    setRefused([]);
    for (const [index, file] of files.entries()) {
      setLeft(files.length - index);
      try {
        await cairn.documents.upload(file, { title: file.name, ...memory });
        setTaken((count) => count + 1);
      } catch (error) {
        setRefused((known) => [...known, { name: file.name, error }]);
      }
    }
    setLeft(0);
    await client.invalidateQueries({ queryKey: ['documents'] });
  };
  return (
    // Dropping is a second way for those with a pointer; the field inside does the same by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className="drop"
      aria-label={words.drop}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void send([...event.dataTransfer.files]);
      }}
    >
      <label>
        {words.drop}{' '}
        <input
          type="file"
          multiple
          aria-label={words.choose}
          onChange={({ target }) => void send([...(target.files ?? [])])}
        />
      </label>
      <p aria-live="polite">
        {left > 0 && words.sending(left)}
        {left === 0 && taken > 0 && words.taken(taken)}
      </p>
      {refused.map(({ name, error }) => (
        <div key={name}>
          <strong>{name}</strong>
          <Problem error={error} />
        </div>
      ))}
    </section>
  );
}
