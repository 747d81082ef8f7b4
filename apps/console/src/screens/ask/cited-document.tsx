import type { Citation } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { MarkedText } from '../../parts/marked-text.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { spanOfQuote } from '../../text/mark-spans.ts';
import { words } from '../../words/ask.ts';

/** The passage that a number of the answer names, with the words that say so marked. */
export function CitedDocument({ citation }: { citation: Citation }) {
  const memory = useMemory();
  const { chunk_id, doc_id } = citation;
  const query = useQuery({
    queryKey: ['chunk', memory, chunk_id],
    queryFn: () => cairn.chunks.get(chunk_id, memory),
  });
  const text = useRef<HTMLDivElement>(null);
  const shown = query.data?.chunk_id === chunk_id;
  useEffect(() => {
    if (shown) text.current?.querySelector('#asked')?.scrollIntoView({ block: 'nearest' });
  }, [shown, citation.citation_id]);
  const place = { chunk: chunk_id, start: String(citation.span?.start ?? ''), end: String(citation.span?.end ?? '') };
  return (
    <Panel
      title={`${citation.citation_id} · ${citation.title}`}
      query={query}
      actions={
        <Link to="/documents/$docId" params={{ docId: doc_id }} search={place}>
          {words.openDocument}
        </Link>
      }
      call={{ name: 'chunks.get', method: 'GET', path: `/memory/chunks/${chunk_id}`, ids: [chunk_id], query: memory }}
    >
      {(chunk) => {
        const span = citation.span ?? spanOfQuote(chunk.text, citation.snippet);
        return (
          <div ref={text} className="source">
            <p className="quiet small">
              {chunk.headings.join(' › ')} {citation.occurred_at !== null && <Time at={citation.occurred_at} />}
            </p>
            <div className="chunk">
              <MarkedText text={chunk.text} marks={span === null ? [] : [{ ...span, kind: 'asked' }]} />
            </div>
          </div>
        );
      }}
    </Panel>
  );
}
