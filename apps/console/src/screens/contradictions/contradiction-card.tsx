import type { Contradiction, Fact } from '@cairn/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Problem } from '../../parts/problem.tsx';
import { Actor } from '../actor.tsx';
import { Time } from '../../parts/time.tsx';
import { wordsOf } from '../../text/format.ts';
import { sidesOf } from '../../text/group-sides.ts';
import { words } from '../../words/knowledge.ts';

/** Winners are facts; this one says that no side is wrong. */
const BOTH = 'both';

export function ContradictionCard({ contradiction }: { contradiction: Contradiction }) {
  const { contradiction_id, entity, relation, facts, status, winner, note, resolved_by, resolved_at } = contradiction;
  const memory = useMemory();
  const client = useQueryClient();
  const { data: who } = useWhoami();
  const [remark, setRemark] = useState('');
  const said = remark.trim() === '' ? {} : { note: remark.trim() };
  const settle = useMutation({
    mutationFn: (chosen: string | null) =>
      chosen === null
        ? cairn.graph.contradictions.reopen(contradiction_id, { ...memory, ...said })
        : cairn.graph.contradictions.resolve(contradiction_id, { ...memory, winner: chosen, ...said }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['contradictions'] }),
  });
  const may = who?.credential.scopes.includes('graph:write') === true;
  return (
    <li className="panel">
      <header>
        <h3>
          <Link to="/entities/$entityId" params={{ entityId: entity.entity_id }}>
            {entity.name}
          </Link>{' '}
          · {wordsOf(relation)}
        </h3>
        {resolved_at !== null && (
          <span className="quiet small">
            {words.settled} <Time at={resolved_at} ago /> {resolved_by !== null && <Actor id={resolved_by} />}
          </span>
        )}
      </header>
      <div className="sides">
        {sidesOf(facts).map((side) => (
          <SideOf
            key={side.value}
            side={side}
            winner={winner}
            choose={may && status === 'open' ? (id) => settle.mutate(id) : null}
            busy={settle.isPending}
          />
        ))}
      </div>
      {note !== null && <p className="quiet">{note}</p>}
      {may && (
        <div className="row">
          <input
            className="grow"
            aria-label={words.note}
            placeholder={words.note}
            value={remark}
            onChange={({ target }) => setRemark(target.value)}
          />
          {status === 'open' ? (
            <button type="button" disabled={settle.isPending} onClick={() => settle.mutate(BOTH)}>
              {words.both}
            </button>
          ) : (
            <button type="button" disabled={settle.isPending} onClick={() => settle.mutate(null)}>
              {words.reopen}
            </button>
          )}
        </div>
      )}
      {settle.error !== null && <Problem error={settle.error} />}
    </li>
  );
}

interface SideProps {
  side: ReturnType<typeof sidesOf>[number];
  winner: string | null;
  choose: ((factId: string) => void) | null;
  busy: boolean;
}

function SideOf({ side, winner, choose, busy }: SideProps) {
  return (
    <div className="side" data-winner={side.facts.some(({ fact_id }) => fact_id === winner)}>
      <strong>{side.value}</strong>
      {side.facts.map((fact) => (
        <Quote key={fact.fact_id} fact={fact} />
      ))}
      {choose !== null && (
        <button
          type="button"
          disabled={busy}
          onClick={() => choose(side.facts[0]!.fact_id)}
          aria-label={`${words.holds}: ${side.value}`}
        >
          {words.holds}
        </button>
      )}
    </div>
  );
}

function Quote({ fact }: { fact: Fact }) {
  return (
    <blockquote>
      {fact.quote}
      <div className="small">
        <Link
          to="/documents/$docId"
          params={{ docId: fact.doc_id }}
          search={{ chunk: fact.chunk_id, quote: fact.quote }}
        >
          {fact.title}
        </Link>{' '}
        {fact.valid_from !== null && <Time at={fact.valid_from} />}
      </div>
    </blockquote>
  );
}
