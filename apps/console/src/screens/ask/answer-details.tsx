import type { SearchAnswer, SearchResult } from '@cairn/sdk';
import { Link } from '@tanstack/react-router';
import { Bar } from '../../parts/bar.tsx';
import { Table } from '../../parts/table.tsx';
import { wordsOf } from '../../text/format.ts';
import { words } from '../../words/ask.ts';

/** What stands beside an answer: disagreement, further questions, names, and why each passage was found. */
export function AnswerDetails({ answer }: { answer: SearchAnswer }) {
  return (
    <>
      {answer.contradictions.length > 0 && <Disagreement answer={answer} />}
      {answer.suggested_followups.length > 0 && (
        <section className="panel">
          <header>
            <h2>{words.next}</h2>
          </header>
          <ul className="plain tight">
            {answer.suggested_followups.map((question) => (
              <li key={question}>
                <Link to="/ask" search={(kept) => ({ ...kept, q: question })}>
                  {question}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {answer.results.length > 0 && (
        <section className="panel">
          <header>
            <h2>{words.passagesFound}</h2>
          </header>
          <ol className="plain">
            {answer.results.map((result) => (
              <Found key={result.chunk_id} result={result} best={answer.results[0]!.score} />
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

function Disagreement({ answer }: { answer: SearchAnswer }) {
  return (
    <section className="panel">
      <header>
        <h2 className="warn">{words.differ}</h2>
      </header>
      <ul className="plain">
        {answer.contradictions.map(({ contradiction_id, entity, relation, facts }) => (
          <li key={contradiction_id}>
            <h3>
              {entity.name} · {wordsOf(relation)}
            </h3>
            <div className="sides">
              {facts.map((fact) => (
                <div key={fact.fact_id} className="side">
                  <strong>{fact.value}</strong>
                  <blockquote>
                    <Link
                      to="/documents/$docId"
                      params={{ docId: fact.doc_id }}
                      search={{ chunk: fact.chunk_id, quote: fact.quote }}
                    >
                      {fact.quote}
                    </Link>
                  </blockquote>
                </div>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Found({ result, best }: { result: SearchResult; best: number }) {
  const { doc_id, chunk_id, title, text, score, explanation } = result;
  return (
    <li>
      <Link to="/documents/$docId" params={{ docId: doc_id }} search={{ chunk: chunk_id }}>
        {title}
      </Link>
      <Bar share={best === 0 ? 0 : score / best} label={`${score.toFixed(2)}`} />
      <p className="small quiet">{text.slice(0, EXCERPT_CHARS)}</p>
      {explanation !== undefined && (
        <details>
          <summary>{words.why}</summary>
          <Why explanation={explanation} />
        </details>
      )}
    </li>
  );
}

const EXCERPT_CHARS = 180;

function Why({ explanation }: { explanation: NonNullable<SearchResult['explanation']> }) {
  const signals = Object.entries(explanation.signals).filter(([, value]) => value !== 0);
  const most = Math.max(...signals.map(([, value]) => Math.abs(value)), 0.001);
  const strongest = Math.max(...explanation.words.map(({ contribution }) => contribution), 0.001);
  return (
    <>
      <Table
        caption={words.signal}
        rows={signals}
        idOf={([name]) => name}
        columns={[
          { name: words.signal, cell: ([name]) => wordsOf(name) },
          { name: words.value, cell: ([, value]) => <Bar share={Math.abs(value) / most} label={value.toFixed(3)} /> },
          { name: '', number: true, cell: ([, value]) => value.toFixed(3) },
        ]}
      />
      <Table
        caption={words.word}
        rows={explanation.words}
        idOf={({ word }) => word}
        columns={[
          { name: words.word, cell: ({ word }) => word },
          {
            name: words.contribution,
            cell: ({ contribution }) => <Bar share={contribution / strongest} label={contribution.toFixed(2)} />,
          },
          { name: words.passages, number: true, cell: (each) => each.passages_with_word },
        ]}
      />
    </>
  );
}
