import type { RunStatus } from '@cairn/sdk';
import { Markdown } from '../../parts/markdown.tsx';
import { words } from '../../words/research.ts';

/** The report, and for each of its numbers the quote that carries it. */
export function Report({ run }: { run: RunStatus }) {
  return (
    <div className="stack">
      <div className="report">
        <Markdown text={run.final_report} />
      </div>
      {run.citations.length > 0 && (
        <details open>
          <summary>{words.quotes}</summary>
          <ol className="plain">
            {run.citations.map(({ number, title, uri, quote }) => (
              <li key={number}>
                <strong>[{number}]</strong> {title} {uri !== null && <span className="quiet small">{uri}</span>}
                <blockquote>{quote}</blockquote>
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}
