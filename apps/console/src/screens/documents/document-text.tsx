import type { DocumentChunk } from '@cairn/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { usePages } from '../../app/pages.ts';
import { MarkedText, type TextMark } from '../../parts/marked-text.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { wordsOf } from '../../text/format.ts';
import { spanOfQuote } from '../../text/mark-spans.ts';
import { words } from '../../words/documents.ts';

const route = getRouteApi('/documents/$docId');
const FACTS_SHOWN = 6;

/** The text in its chunks; what was read in a chunk stands at its side, and the words asked for are marked. */
export function DocumentText({ docId, status }: { docId: string; status: string | undefined }) {
  const memory = useMemory();
  const search = route.useSearch();
  const query = usePages(['documents', 'content', memory, docId, status ?? ''], (cursor) =>
    cairn.documents.content(docId, { ...memory, ...cursor }),
  );
  const chunks = query.data?.pages.flatMap((page) => page.chunks);
  const found = search.chunk === undefined || chunks?.some(({ chunk_id }) => chunk_id === search.chunk) === true;
  const { fetchNextPage, hasNextPage, isFetching } = query;
  useEffect(() => {
    if (!found && hasNextPage && !isFetching) void fetchNextPage();
  }, [found, hasNextPage, isFetching, fetchNextPage]);
  const box = useRef<HTMLDivElement>(null);
  const ready = found && chunks !== undefined;
  useEffect(() => {
    if (!ready || search.chunk === undefined) return;
    const place = box.current?.querySelector('#asked') ?? box.current?.querySelector(`#${search.chunk}`);
    place?.scrollIntoView({ block: 'center' });
  }, [ready, search.chunk, search.start]);
  return (
    <Panel
      title={words.content}
      query={query}
      call={{
        name: 'documents.content',
        method: 'GET',
        path: `/memory/documents/${docId}/content`,
        ids: [docId],
        query: memory,
      }}
      empty={({ pages }) => (pages[0]?.chunks.length === 0 ? <p>{words.noContent}</p> : null)}
    >
      {({ pages }) => (
        <div ref={box}>
          {pages
            .flatMap((page) => page.chunks)
            .map((chunk) => (
              <ChunkText key={chunk.chunk_id} chunk={chunk} asked={chunk.chunk_id === search.chunk ? search : null} />
            ))}
          <MoreButton query={query} />
        </div>
      )}
    </Panel>
  );
}

interface ChunkTextProps {
  chunk: DocumentChunk;
  asked: { start?: string; end?: string; quote?: string } | null;
}

function ChunkText({ chunk, asked }: ChunkTextProps) {
  const marks: TextMark[] = chunk.facts.map(({ span, relation }) => ({
    ...span,
    kind: 'fact',
    title: wordsOf(relation),
  }));
  const span = asked === null ? null : askedSpan(chunk.text, asked);
  if (span !== null) marks.push({ ...span, kind: 'asked' });
  return (
    <div className="chunk margin" id={chunk.chunk_id}>
      <div>
        {(chunk.headings.length > 0 || chunk.page !== null) && (
          <p className="quiet small">
            {chunk.headings.join(' › ')} {chunk.page !== null && `p. ${chunk.page}`}
          </p>
        )}
        <MarkedText text={chunk.text} marks={marks} />
      </div>
      {chunk.facts.length > 0 && (
        <ul className="plain tight small" aria-label={words.facts}>
          {chunk.facts.slice(0, FACTS_SHOWN).map(({ fact_id, entity_id, relation, span: at }) => (
            <li key={fact_id}>
              <span className="quiet">{wordsOf(relation)}: </span>
              <Link to="/entities/$entityId" params={{ entityId: entity_id }}>
                {chunk.text.slice(at.start, Math.min(at.end, at.start + 60))}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** An address may say anything: what is no place in the text is not marked. */
function askedSpan(text: string, { start, end, quote }: { start?: string; end?: string; quote?: string }) {
  if (quote !== undefined) return spanOfQuote(text, quote);
  const span = { start: Number(start ?? 'none'), end: Number(end ?? 'none') };
  return Number.isInteger(span.start) && Number.isInteger(span.end) && span.start < span.end ? span : null;
}
