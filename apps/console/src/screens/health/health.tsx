import type { HealthAssessment } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { usePages } from '../../app/pages.ts';
import { Bar, toneOf } from '../../parts/bar.tsx';
import { LinePlot } from '../../parts/line-plot.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Ring } from '../../parts/ring.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { wordsOf } from '../../text/format.ts';
import { words } from '../../words/knowledge.ts';

export function HealthScreen() {
  const memory = useMemory();
  const query = useQuery({ queryKey: ['health', memory], queryFn: () => cairn.memories.health(memory) });
  const history = usePages(['health', 'history', memory], (cursor) =>
    cairn.memories.healthHistory({ ...memory, ...cursor }),
  );
  return (
    <div className="stack">
      <h1>{words.health}</h1>
      <Panel
        title={words.score}
        query={query}
        call={{ name: 'memories.health', method: 'GET', path: '/memory/health', query: memory }}
      >
        {({ score, parts }) => (
          <div className="stack">
            <Ring score={score} label={`${words.score} ${Math.round(score)}`} />
            <Table
              caption={words.health}
              rows={Object.entries(parts)}
              idOf={([name]) => name}
              columns={[
                { name: words.part, cell: ([name]) => wordsOf(name) },
                {
                  name: words.score,
                  cell: ([, part]) => (
                    <Bar share={part.score / 100} tone={toneOf(part.score)} label={part.score.toFixed(0)} />
                  ),
                },
                { name: '', number: true, cell: ([, part]) => part.score.toFixed(0) },
                { name: words.affected, number: true, cell: ([, part]) => part.affected },
                {
                  name: words.advice,
                  cell: ([name, part]) => (
                    <>
                      {part.advice} {part.affected > 0 && <Affected part={name} />}
                    </>
                  ),
                },
              ]}
            />
          </div>
        )}
      </Panel>
      <Panel
        title={words.overTime}
        query={history}
        call={{ name: 'memories.healthHistory', method: 'GET', path: '/memory/health/history', query: memory }}
        empty={({ pages }) => (pages[0]?.history.length === 0 ? <p>{words.historyEmpty}</p> : null)}
      >
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.history);
          return (
            <div className="stack">
              <LinePlot
                label={words.overTime}
                most={100}
                points={rows.map(({ assessed_at, score }) => ({ at: Date.parse(assessed_at), value: score }))}
              />
              <Table caption={words.overTime} rows={rows} idOf={({ assessed_at }) => assessed_at} columns={COLUMNS} />
              <MoreButton query={history} />
            </div>
          );
        }}
      </Panel>
    </div>
  );
}

/** Each advice leads to the list of what it is about, where there is one. */
function Affected({ part }: { part: string }) {
  if (part === 'contradictions') return <Link to="/contradictions">{words.see}</Link>;
  if (part === 'review_backlog') {
    return (
      <>
        <Link to="/reviews/names">{words.seeNames}</Link> <Link to="/reviews/routing">{words.seeRouting}</Link>
      </>
    );
  }
  if (part === 'failed_ingests') {
    return (
      <Link to="/documents" search={{ status: 'failed' }}>
        {words.see}
      </Link>
    );
  }
  return null;
}

const COLUMNS = [
  { name: words.at, cell: ({ assessed_at }: HealthAssessment) => <Time at={assessed_at} /> },
  { name: words.score, number: true, cell: ({ score }: HealthAssessment) => score.toFixed(1) },
  { name: words.added, number: true, cell: ({ documents_added }: HealthAssessment) => documents_added },
  { name: words.deleted, number: true, cell: ({ documents_deleted }: HealthAssessment) => documents_deleted },
];
