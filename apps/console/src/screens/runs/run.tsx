import type { RunStatus } from '@cairn/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { Bar } from '../../parts/bar.tsx';
import { Chip } from '../../parts/chip.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';
import { numberText, wordsOf } from '../../text/format.ts';
import { words } from '../../words/research.ts';
import { Report } from './report.tsx';
import { isSettled } from './settled.ts';
import { Timeline } from './timeline.tsx';

const route = getRouteApi('/runs/$threadId');
const UNSETTLED_MS = 2_000;

export function RunScreen() {
  const { threadId } = route.useParams();
  const query = useQuery({
    queryKey: ['run', threadId],
    queryFn: () => cairn.runs.status(threadId),
    refetchInterval: ({ state }) => (state.data === undefined || isSettled(state.data.status) ? false : UNSETTLED_MS),
  });
  const run = query.data;
  return (
    <div className="stack">
      <div className="title">
        <h1>{run?.prompt ?? words.run}</h1>
        {run !== undefined && <Chip state={run.status} />}
      </div>
      {run?.question != null && <Question key={run.question.question_id} threadId={threadId} question={run.question} />}
      <div className="columns even">
        <div className="stack">
          <Panel
            title={words.run}
            query={query}
            call={{
              name: 'runs.status',
              method: 'GET',
              path: `/search/workflow/status/${threadId}`,
              ids: [threadId],
            }}
            actions={
              run !== undefined &&
              !isSettled(run.status) && (
                <ConfirmButton label={words.stop} name={threadId} act={() => cairn.runs.stop(threadId)}>
                  {words.stopWhat}
                </ConfirmButton>
              )
            }
          >
            {(one) => <Facts run={one} />}
          </Panel>
          <Timeline threadId={threadId} live={run !== undefined && !isSettled(run.status)} />
          <Sources threadId={threadId} />
        </div>
        <Panel
          title={words.report}
          query={query}
          empty={({ final_report }) => (final_report === '' ? <p>{words.noReport}</p> : null)}
        >
          {(one) => <Report run={one} />}
        </Panel>
      </div>
    </div>
  );
}

function Facts({ run }: { run: RunStatus }) {
  return (
    <div className="stack">
      <Bar share={run.progress.percent / 100} label={`${run.progress.percent} %`} />
      <dl>
        <dt>{words.stage}</dt>
        <dd>{wordsOf(run.progress.stage)}</dd>
        <dt>{words.kind}</dt>
        <dd>{wordsOf(run.kind)}</dd>
        <dt>{words.started}</dt>
        <dd>
          <Time at={run.created_at} />
        </dd>
        <dt>{words.counts}</dt>
        <dd>
          {Object.entries(run.counts)
            .filter(([, count]) => count > 0)
            .map(([name, count]) => `${numberText(count)} ${name}`)
            .join(', ')}
        </dd>
        <dt>{words.cost}</dt>
        <dd>
          {numberText(run.cost.credits)} {words.credits.toLowerCase()},{' '}
          {numberText(run.cost.input_tokens + run.cost.output_tokens)} {words.tokens.toLowerCase()}
        </dd>
        {run.list_id !== null && (
          <>
            <dt>{words.list}</dt>
            <dd>
              <Link to="/lists/$listId" params={{ listId: run.list_id }}>
                {run.list_id}
              </Link>
            </dd>
          </>
        )}
      </dl>
      {run.error !== null && (
        <p className="notice bad">
          {run.error.message} <code>{run.error.code}</code>
        </p>
      )}
    </div>
  );
}

function Question({ threadId, question }: { threadId: string; question: NonNullable<RunStatus['question']> }) {
  const client = useQueryClient();
  const [text, setText] = useState(question.default);
  const answer = useMutation({
    mutationFn: (response: string) => cairn.runs.answer(threadId, { response }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['run', threadId] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer.mutate(text);
  };
  return (
    <form className="panel stack" onSubmit={submit}>
      <h2 className="warn">{words.question}</h2>
      <p>{question.question}</p>
      <div className="row">
        {(question.choices ?? []).map((choice) => (
          <button key={choice} type="button" disabled={answer.isPending} onClick={() => answer.mutate(choice)}>
            {choice}
          </button>
        ))}
        <input
          className="grow"
          aria-label={words.answer}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="primary" disabled={answer.isPending || text.trim() === ''}>
          {words.send}
        </button>
      </div>
      {answer.error !== null && <Problem error={answer.error} />}
    </form>
  );
}

function Sources({ threadId }: { threadId: string }) {
  const query = usePages(['run', threadId, 'sources'], (cursor) => cairn.runs.sources(threadId, cursor));
  return (
    <Panel
      title={words.sources}
      query={query}
      call={{ name: 'runs.sources', method: 'GET', path: `/search/runs/${threadId}/sources`, ids: [threadId] }}
      empty={({ pages }) => (pages[0]?.sources.length === 0 ? <p>{words.noSources}</p> : null)}
    >
      {({ pages }) => (
        <>
          <ul className="plain tight">
            {pages
              .flatMap(({ sources }) => sources)
              .map(({ source_id, doc_id, title, kind }) => (
                <li key={source_id}>
                  {doc_id === null ? (
                    title
                  ) : (
                    <Link to="/documents/$docId" params={{ docId: doc_id }}>
                      {title}
                    </Link>
                  )}{' '}
                  <span className="quiet small">{kind}</span>
                </li>
              ))}
          </ul>
          <MoreButton query={query} />
        </>
      )}
    </Panel>
  );
}
