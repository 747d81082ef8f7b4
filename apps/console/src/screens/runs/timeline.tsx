import type { RunEvent } from '@cairn/sdk';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { wordsOf } from '../../text/format.ts';
import { words } from '../../words/research.ts';
import { describeEvent, LANES, marksOf } from './run-lanes.ts';

const PAGE = 200;
const UNSETTLED_MS = 2_000;

/** What happened, as dots in lanes and as a table. Later pages are fetched when asked for. */
export function Timeline({ threadId, live }: { threadId: string; live: boolean }) {
  const query = usePages(
    ['run', threadId, 'events'],
    (cursor) => cairn.runs.log(threadId, { limit: PAGE, ...cursor }),
    { refetchInterval: live ? UNSETTLED_MS : false },
  );
  return (
    <Panel
      title={words.timeline}
      query={query}
      call={{ name: 'runs.log', method: 'GET', path: `/search/runs/${threadId}/events`, ids: [threadId] }}
    >
      {({ pages }) => {
        const events = pages.flatMap((page) => page.events);
        return (
          <>
            <Lanes events={events} />
            <details>
              <summary>{words.timelineTable}</summary>
              <Table caption={words.timeline} columns={COLUMNS} rows={events} idOf={({ seq }) => String(seq)} />
            </details>
            <MoreButton query={query} />
          </>
        );
      }}
    </Panel>
  );
}

function Lanes({ events }: { events: readonly RunEvent[] }) {
  const marks = marksOf(events);
  if (marks.length === 0) return <p className="quiet">{words.nothingYet}</p>;
  return (
    <div className="lanes" role="img" aria-label={words.timeline}>
      {LANES.map((lane) => (
        <div key={lane} className="lane">
          <span>{words.lanes[lane]}</span>
          <div>
            {marks
              .filter((mark) => mark.lane === lane)
              .map(({ seq, at, type }) => (
                <i key={seq} title={wordsOf(type)} style={{ left: `${at * 100}%` }} />
              ))}
          </div>
        </div>
      ))}
    </div>
  );
}

const COLUMNS: readonly Column<RunEvent>[] = [
  { name: '', number: true, cell: ({ seq }) => seq },
  { name: words.time, cell: ({ at }) => <Time at={at} /> },
  { name: words.event, cell: ({ type }) => wordsOf(type) },
  { name: words.about, cell: describeEvent },
];
