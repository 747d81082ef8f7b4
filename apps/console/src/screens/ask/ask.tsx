import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { CodeSamples } from '../../parts/code-samples.tsx';
import { Skeleton } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { words } from '../../words/ask.ts';
import { AnswerText } from './answer-text.tsx';
import { AskForm } from './ask-form.tsx';
import { AnswerDetails } from './answer-details.tsx';
import { CitedDocument } from './cited-document.tsx';
import { type Question, useAnswer } from './use-answer.ts';

const route = getRouteApi('/ask');

export function AskScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const memory = useMemory();
  const [attempt, setAttempt] = useState(0);
  const [pressed, setPressed] = useState<{ of: string; id: string } | null>(null);
  const question: Question | null =
    search.q === undefined
      ? null
      : {
          query: search.q,
          ...memory,
          ...(search.space === undefined ? {} : { space_id: search.space }),
          ...(search.as_of === undefined ? {} : { as_of: search.as_of }),
          ...(search.model === undefined ? {} : { llm_model: search.model }),
        };
  const state = useAnswer(question, attempt);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const field = (name: string) => String(form.get(name) ?? '').trim() || undefined;
    setAttempt(attempt + 1);
    setPressed(null);
    void navigate({ search: { q: field('q'), space: field('space'), as_of: field('as_of'), model: field('model') } });
  };
  const lit = pressed?.of === search.q ? pressed?.id : state.citations[0]?.citation_id;
  const citation = state.citations.find(({ citation_id }) => citation_id === lit);
  return (
    <div className="stack">
      <h1>{words.title}</h1>
      <AskForm key={search.q ?? ''} search={search} submit={submit} running={state.running} />
      {question === null ? (
        <Suggestions />
      ) : (
        <div className="ask-grid">
          <section className="panel" aria-busy={state.running}>
            <header>
              <h2>{words.answer}</h2>
              {state.done !== null && <Provenance done={state.done} />}
            </header>
            {state.text === '' && state.running && <Skeleton />}
            <AnswerText state={state} lit={lit ?? null} light={(id) => setPressed({ of: question.query, id })} />
            {state.error !== null && <Problem error={state.error} retry={() => setAttempt(attempt + 1)} />}
            <CodeSamples
              call={{ name: 'search.query', method: 'POST', path: '/memory/search', body: { ...question } }}
            />
          </section>
          {citation !== undefined && <CitedDocument citation={citation} />}
          {state.done !== null && (
            <div className="stack beside">
              <AnswerDetails answer={state.done} />
            </div>
          )}
        </div>
      )}
    </div>
  );
}

function Provenance({ done }: { done: { generated: boolean; confidence: number } }) {
  return (
    <span className="quiet small">
      {done.generated ? words.byModel : words.fromPassages}, {words.confidence(done.confidence.toFixed(2))}
    </span>
  );
}

const SUGGESTED_MOST = 5;

/** Questions about the names that most documents mention. */
function Suggestions() {
  const memory = useMemory();
  const { data: who } = useWhoami();
  const { data } = useQuery({
    enabled: who?.credential.scopes.includes('graph:read') ?? false,
    queryKey: ['entities', 'mentioned', memory],
    queryFn: async () => await cairn.graph.entities.list({ ...memory, sort: 'mentions', limit: SUGGESTED_MOST }),
  });
  return (
    <section className="panel">
      <p className="quiet">{words.try}</p>
      <ul className="plain tight">
        {(data?.entities ?? []).map(({ entity_id, name }) => (
          <li key={entity_id}>
            <route.Link to="/ask" search={(kept) => ({ ...kept, q: words.about(name) })}>
              {words.about(name)}
            </route.Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
