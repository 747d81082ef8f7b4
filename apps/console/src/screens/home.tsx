import type { Memory } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { cairn } from '../app/client.ts';
import { useMemory } from '../app/memory.ts';
import { useWhoami } from '../app/who-am-i.ts';
import { Chip } from '../parts/chip.tsx';
import { Panel } from '../parts/panel.tsx';
import { Ring } from '../parts/ring.tsx';
import { numberText } from '../text/format.ts';
import { words } from '../words/home.ts';

const MOST = 100;
const UNSETTLED_MS = 3_000;

export function HomeScreen() {
  const { data: who } = useWhoami();
  const scopes: readonly string[] = who?.credential.scopes ?? [];
  const memories = useQuery({
    queryKey: ['memories'],
    queryFn: async () => await cairn.memories.list({ limit: MOST }),
    enabled: scopes.includes('memories:read'),
  });
  return (
    <div className="stack">
      <h1>{words.title}</h1>
      <Figures scopes={scopes} />
      {scopes.includes('memories:read') && (
        <Panel
          title={words.memories}
          query={memories}
          call={{ name: 'memories.list', method: 'GET', path: '/memories' }}
          empty={({ memories: list }) => (list.length === 0 ? <p>{words.nothing}</p> : null)}
        >
          {({ memories: list }) => (
            <ul className="plain">
              {list.map((memory) => (
                <MemoryRow key={memory.memory_id} memory={memory} />
              ))}
            </ul>
          )}
        </Panel>
      )}
      <FirstSteps scopes={scopes} />
    </div>
  );
}

function MemoryRow({ memory }: { memory: Memory }) {
  const { memory_id, display_name, status } = memory;
  const health = useQuery({
    queryKey: ['health', memory_id],
    queryFn: () => cairn.memories.health({ memory_id }),
    enabled: status === 'active',
  });
  return (
    <li className="row">
      {health.data === undefined ? null : (
        <Link to="/health" search={{ memory: memory_id }}>
          <Ring score={health.data.score} label={words.ofHundred(health.data.score)} />
        </Link>
      )}
      <div>
        <strong>{display_name}</strong> <Chip state={status} />
        <div className="quiet small mono">{memory_id}</div>
      </div>
    </li>
  );
}

/** Each number leads to its list; what this session may not see has no number. */
function Figures({ scopes }: { scopes: readonly string[] }) {
  return (
    <ul className="figures">
      {scopes.includes('documents:read') && <DocumentFigures />}
      {scopes.includes('graph:read') && <GraphFigures />}
      {scopes.includes('usage:read') && <CreditFigure />}
    </ul>
  );
}

function DocumentFigures() {
  const memory = useMemory();
  const { data } = useQuery({
    queryKey: ['documents', 'stats', memory],
    queryFn: () => cairn.documents.stats(memory),
    refetchInterval: (query) => ((query.state.data?.oldest_waiting_at ?? null) === null ? false : UNSETTLED_MS),
  });
  if (data === undefined) return null;
  const count = (wanted: (status: string) => boolean) =>
    data.by_status.filter(({ status }) => wanted(status)).reduce((sum, each) => sum + each.documents, 0);
  return (
    <>
      <Figure
        value={numberText(count((status) => status !== 'completed' && status !== 'failed'))}
        link={(inner) => (
          <Link to="/documents" search={{ status: 'queued' }}>
            {inner}
          </Link>
        )}
        name={words.waiting}
      />
      <Figure
        value={numberText(count((status) => status === 'failed'))}
        link={(inner) => (
          <Link to="/documents" search={{ status: 'failed' }}>
            {inner}
          </Link>
        )}
        name={words.failed}
      />
    </>
  );
}

/** Lists have no totals: a full page means that there are at least as many. */
function GraphFigures() {
  const memory = useMemory();
  const contradictions = useQuery({
    queryKey: ['contradictions', 'count', memory],
    queryFn: async () => await cairn.graph.contradictions.list({ ...memory, status: 'open', limit: MOST }),
  });
  const reviews = useQuery({
    queryKey: ['reviews', 'count', memory],
    queryFn: async () => await cairn.graph.reviews.list({ ...memory, status: 'open', limit: MOST }),
  });
  const countOf = (rows: readonly unknown[], cursor: string | undefined) =>
    cursor === undefined ? numberText(rows.length) : words.atLeast(rows.length);
  return (
    <>
      {contradictions.data !== undefined && (
        <Figure
          value={countOf(contradictions.data.contradictions, contradictions.data.next_cursor)}
          link={(inner) => <Link to="/contradictions">{inner}</Link>}
          name={words.contradictions}
        />
      )}
      {reviews.data !== undefined && (
        <Figure
          value={countOf(reviews.data.reviews, reviews.data.next_cursor)}
          link={(inner) => <Link to="/reviews/names">{inner}</Link>}
          name={words.reviews}
        />
      )}
    </>
  );
}

function CreditFigure() {
  const { data } = useQuery({
    queryKey: ['credits'],
    queryFn: async () => await cairn.usage.credits({ limit: 1 }),
  });
  if (data === undefined) return null;
  return (
    <Figure value={numberText(data.balance)} link={(inner) => <Link to="/usage">{inner}</Link>} name={words.credits} />
  );
}

interface FigureProps {
  value: string;
  name: string;
  link: (inner: ReactNode) => ReactNode;
}

function Figure({ value, name, link }: FigureProps) {
  return (
    <li>
      {link(
        <>
          <b>{value}</b>
          {name}
        </>,
      )}
    </li>
  );
}

/** They tick themselves, and are gone when all are done. */
function FirstSteps({ scopes }: { scopes: readonly string[] }) {
  const memory = useMemory();
  const may = scopes.includes('documents:read') && scopes.includes('threads:read');
  const documents = useQuery({
    queryKey: ['documents', 'stats', memory],
    queryFn: () => cairn.documents.stats(memory),
    enabled: may,
  });
  const keys = useQuery({
    queryKey: ['keys', 'memory'],
    queryFn: async () => await cairn.keys.list({ type: 'memory', revoked: false, limit: 1 }),
    enabled: may && scopes.includes('keys:read'),
  });
  if (!may || documents.data === undefined) return null;
  const added = documents.data.total > 0;
  const connected = (keys.data?.api_keys.length ?? 0) > 0;
  if (added && connected) return null;
  return (
    <section className="panel">
      <header>
        <h2>{words.start}</h2>
      </header>
      <ol className="plain steps">
        <li data-done={added}>
          <Link to="/documents">{words.steps.add}</Link>
        </li>
        <li>
          <Link to="/ask">{words.steps.ask}</Link>
        </li>
        <li data-done={connected}>
          <Link to="/memories">{words.steps.connect}</Link>
        </li>
      </ol>
    </section>
  );
}
