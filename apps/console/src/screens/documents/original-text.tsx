import type { Document } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { cairn } from '../../app/client.ts';
import { Panel } from '../../parts/panel.tsx';
import { words } from '../../words/documents.ts';

const SHOWN_MOST = 200_000;
const TEXTS = /^(?:text\/|message\/rfc822|application\/(?:json|xml|yaml|x-ndjson))/;

export function isShown({ original, media_type }: Document): boolean {
  return original !== null && TEXTS.test(media_type);
}

/** What was handed in, letter by letter: nothing of it is run, and markup is shown as it was written. */
export function OriginalText({ document: { doc_id, memory_id } }: { document: Document }) {
  const query = useQuery({
    queryKey: ['original', memory_id, doc_id],
    queryFn: async () => (await cairn.documents.original(doc_id, { memory_id })).text(),
  });
  return (
    <Panel title={words.labels.original} query={query}>
      {(text) => (
        <pre tabIndex={0} aria-label={words.labels.original}>
          {text.slice(0, SHOWN_MOST)}
          {text.length > SHOWN_MOST && '…'}
        </pre>
      )}
    </Panel>
  );
}
