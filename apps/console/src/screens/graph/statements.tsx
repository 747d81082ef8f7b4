import type { LinkPassage } from '@cairn/sdk';
import { Link } from '@tanstack/react-router';

/** A sentence that states several links is shown once. */
function onceEach(statements: LinkPassage['statements']): LinkPassage['statements'] {
  return [...new Map(statements.map((each) => [`${each.span.start}-${each.span.end}`, each])).values()];
}

/** Sentences that state links, each leading to its place. */
export function Statements({ passages }: { passages: readonly LinkPassage[] }) {
  return (
    <ul className="plain">
      {passages.map(({ doc_id, chunk_id, title, statements }) => (
        <li key={chunk_id}>
          {onceEach(statements).map(({ text, span }) => (
            <blockquote key={`${span.start}-${span.end}`}>
              <Link
                to="/documents/$docId"
                params={{ docId: doc_id }}
                search={{ chunk: chunk_id, start: String(span.start), end: String(span.end) }}
              >
                {text}
              </Link>
            </blockquote>
          ))}
          <span className="quiet small">{title}</span>
        </li>
      ))}
    </ul>
  );
}
