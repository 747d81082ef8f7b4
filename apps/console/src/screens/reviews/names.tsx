import type { EntityDecision, EntityReview } from '@cairn/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { usePages } from '../../app/pages.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Table } from '../../parts/table.tsx';
import { Actor } from '../actor.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/knowledge.ts';
import { NameSentences } from './name-sentences.tsx';

const PAGE = 20;

export function NamesScreen() {
  const memory = useMemory();
  const params = { ...memory, status: 'open' as const, limit: PAGE };
  const query = usePages(['reviews', params], (cursor) => cairn.graph.reviews.list({ ...params, ...cursor }));
  return (
    <div className="stack">
      <h1>{words.names}</h1>
      <p className="quiet">{words.namesHint}</p>
      <Panel
        title={words.open}
        query={query}
        call={{ name: 'graph.reviews.list', method: 'GET', path: '/memory/graph/reviews', query: params }}
        empty={({ pages }) => (pages[0]?.reviews.length === 0 ? <p>{words.nothingWaits}</p> : null)}
      >
        {({ pages }) => (
          <>
            <ul className="plain">
              {pages
                .flatMap(({ reviews }) => reviews)
                .map((review, index) => (
                  <Review key={review.review_id} review={review} first={index === 0} />
                ))}
            </ul>
            <MoreButton query={query} />
          </>
        )}
      </Panel>
      <Decisions />
    </div>
  );
}

function Review({ review, first }: { review: EntityReview; first: boolean }) {
  const memory = useMemory();
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (decision: 'same' | 'different') =>
      cairn.graph.reviews.decide(review.review_id, { ...memory, decision }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['reviews'] });
      await client.invalidateQueries({ queryKey: ['decisions'] });
    },
  });
  useEffect(() => {
    if (!first) return undefined;
    const onKeyDown = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) => {
      if (
        ctrlKey ||
        metaKey ||
        altKey ||
        isPending ||
        (target as HTMLElement).closest('input, select, dialog') !== null
      )
        return;
      if (key === 's') mutate('same');
      if (key === 'd') mutate('different');
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [first, isPending, mutate]);
  return (
    <li className="panel">
      <div className="sides">
        {review.entities.map(({ entity_id, name, type, document_count }) => (
          <div key={entity_id} className="side">
            <Link to="/entities/$entityId" params={{ entityId: entity_id }}>
              {name}
            </Link>
            <div className="quiet small">
              {type}, {words.inDocuments(document_count)}
            </div>
            <NameSentences entityId={entity_id} />
          </div>
        ))}
      </div>
      <p className="row">
        <span className="quiet small">{words.similarity(review.similarity.toFixed(2))}</span>
        <button type="button" disabled={isPending} onClick={() => mutate('same')}>
          {words.same}
        </button>
        <button type="button" disabled={isPending} onClick={() => mutate('different')}>
          {words.different}
        </button>
      </p>
      {error !== null && <Problem error={error} />}
    </li>
  );
}

function Decisions() {
  const memory = useMemory();
  const client = useQueryClient();
  const query = usePages(['decisions', memory], (cursor) => cairn.graph.decisions.list({ ...memory, ...cursor }));
  const undo = useMutation({
    mutationFn: (id: string) => cairn.graph.decisions.undo(id, memory),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['reviews'] });
      await client.invalidateQueries({ queryKey: ['decisions'] });
    },
  });
  const columns = [
    { name: words.kind, cell: ({ kind }: EntityDecision) => kind },
    { name: words.names, cell: ({ names }: EntityDecision) => names.join(', ') },
    { name: words.by, cell: ({ decided_by }: EntityDecision) => <Actor id={decided_by} /> },
    { name: words.at, cell: ({ created_at }: EntityDecision) => <Time at={created_at} ago /> },
    {
      name: '',
      cell: ({ decision_id }: EntityDecision) => (
        <button type="button" disabled={undo.isPending} onClick={() => undo.mutate(decision_id)}>
          {words.undo}
        </button>
      ),
    },
  ];
  return (
    <Panel
      title={words.decisions}
      query={query}
      empty={({ pages }) => (pages[0]?.decisions.length === 0 ? <p>{words.nothingDecided}</p> : null)}
    >
      {({ pages }) => (
        <>
          {undo.error !== null && <Problem error={undo.error} />}
          <Table
            caption={words.decisions}
            columns={columns}
            rows={pages.flatMap(({ decisions }) => decisions)}
            idOf={({ decision_id }) => decision_id}
          />
          <MoreButton query={query} />
        </>
      )}
    </Panel>
  );
}
