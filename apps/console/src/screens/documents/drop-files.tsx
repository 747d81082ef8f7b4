import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { handleSignedOut } from '../../app/signed-out.ts';
import { Problem } from '../../parts/problem.tsx';
import { words } from '../../words/documents.ts';
import { NO_UPLOADS, uploadQueue } from './upload-queue.ts';

export function DropFiles() {
  const memory = useMemory();
  const client = useQueryClient();
  const [over, setOver] = useState(false);
  const [{ left, taken, refused }, setUploads] = useState(NO_UPLOADS);
  const [add] = useState(() => uploadQueue(setUploads));
  const send = async (files: readonly File[]) => {
    // Each goes to the memory that was chosen when it was dropped.
    await add(files.map((file) => ({ name: file.name, send: () => upload(file, memory) })));
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
          onChange={({ target }) => {
            void send([...(target.files ?? [])]);
            // A file that was refused can be chosen again.
            target.value = '';
          }}
        />
      </label>
      <p aria-live="polite">
        {left > 0 && words.sending(left)}
        {left === 0 && taken > 0 && words.taken(taken)}
      </p>
      {refused.map(({ name, error }, index) => (
        // The same file may be refused twice.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index}>
          <strong>{name}</strong>
          <Problem error={error} />
        </div>
      ))}
    </section>
  );
}

async function upload(file: File, memory: { memory_id?: string }): Promise<void> {
  try {
    await cairn.documents.upload(file, { title: file.name, ...memory });
  } catch (error) {
    handleSignedOut(error);
    throw error;
  }
}
