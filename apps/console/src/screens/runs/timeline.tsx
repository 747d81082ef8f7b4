import type { RunEvent } from '@cairn/sdk';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { wordsOf } from '../../text/format.ts';
import { words } from '../../words/research.ts';
import { aboutEvent, LANES, marksOf } from './run-lanes.ts';

const PAGE = 200;
const UNSETTLED_MS = 2_000;
const LANE_HEIGHT = 22;
const LABELS_WIDTH = 80;
const WIDTH = 600;

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
  const width = WIDTH - LABELS_WIDTH - 10;
  return (
    <svg
      className="lanes"
      viewBox={`0 0 ${WIDTH} ${LANES.length * LANE_HEIGHT}`}
      role="img"
      aria-label={words.timeline}
    >
      {LANES.map((lane, index) => (
        <g key={lane}>
          <text x="0" y={index * LANE_HEIGHT + 15}>
            {words.lanes[lane]}
          </text>
          <line x1={LABELS_WIDTH} x2={WIDTH} y1={index * LANE_HEIGHT + 11} y2={index * LANE_HEIGHT + 11} />
        </g>
      ))}
      {marksOf(events).map(({ seq, lane, at, type }) => (
        <circle key={seq} cx={LABELS_WIDTH + 5 + at * width} cy={LANES.indexOf(lane) * LANE_HEIGHT + 11} r="4">
          <title>{wordsOf(type)}</title>
        </circle>
      ))}
    </svg>
  );
}

const COLUMNS: readonly Column<RunEvent>[] = [
  { name: '', number: true, cell: ({ seq }) => seq },
  { name: words.time, cell: ({ at }) => <Time at={at} /> },
  { name: words.event, cell: ({ type }) => wordsOf(type) },
  { name: words.about, cell: aboutEvent },
];
