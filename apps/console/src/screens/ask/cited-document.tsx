import type { Citation } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { MarkedText } from '../../parts/marked-text.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { spanOfQuote } from '../../text/mark-spans.ts';
import { words } from '../../words/ask.ts';

/** The passage that a number of the answer names, with the words that say so marked; the words alone without the scope. */
export function CitedDocument({ citation }: { citation: Citation }) {
  const { data: who } = useWhoami();
  if (who?.credential.scopes.includes('documents:read') === true) return <Passage citation={citation} />;
  return (
    <section className="panel cited">
      <header>
        <h2>{`${citation.citation_id} · ${citation.title}`}</h2>
      </header>
      <blockquote>{citation.snippet}</blockquote>
    </section>
  );
}

function Passage({ citation }: { citation: Citation }) {
  const memory = useMemory();
  const { chunk_id, doc_id } = citation;
  const query = useQuery({
    queryKey: ['chunk', memory, chunk_id],
    queryFn: () => cairn.chunks.get(chunk_id, memory),
  });
  const text = useRef<HTMLDivElement>(null);
  const shown = query.data?.chunk_id === chunk_id;
  useEffect(() => {
    const box = text.current;
    const mark = box?.querySelector<HTMLElement>('#asked');
    // Only the passage moves: the page stays where its reader is.
    if (shown && box !== null && mark != null) box.scrollTop = mark.offsetTop - box.offsetTop - box.clientHeight / 3;
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
