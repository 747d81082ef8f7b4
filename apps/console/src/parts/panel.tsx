import type { ReactNode } from 'react';
import type { ApiCall } from '@cairn/pages';
import { words } from '../words/parts.ts';
import { CodeSamples } from './code-samples.tsx';
import { Problem } from './problem.tsx';

/** What a panel needs of a query, whether it has one page or many. */
export interface QueryState<Data> {
  data: Data | undefined;
  error: unknown;
  isFetching: boolean;
  isPending: boolean;
  refetch: () => unknown;
}

interface PanelProps<Data> {
  title: ReactNode;
  query: QueryState<Data>;
  call?: ApiCall;
  actions?: ReactNode;
  /** What stands here when there is nothing; null when there is something. */
  empty?: (data: Data) => ReactNode;
  children: (data: Data) => ReactNode;
}

/** A part of a screen that is asked for by itself: when it cannot be had, only it says so. */
export function Panel<Data>({ title, query, call, actions, empty, children }: PanelProps<Data>) {
  return (
    <section className="panel" aria-busy={query.isFetching}>
      <header>
        <h2>{title}</h2>
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      <PanelBody query={query} empty={empty} body={children} />
      {call !== undefined && <CodeSamples call={call} />}
    </section>
  );
}

interface BodyProps<Data> {
  query: QueryState<Data>;
  empty: PanelProps<Data>['empty'];
  body: (data: Data) => ReactNode;
}

function PanelBody<Data>({ query, empty, body }: BodyProps<Data>) {
  const { data, error } = query;
  if (data === undefined) {
    return error === null ? <Skeleton /> : <Problem error={error} retry={() => void query.refetch()} />;
  }
  const instead = empty?.(data) ?? null;
  return (
    <>
      {error !== null && <Problem error={error} retry={() => void query.refetch()} />}
      {instead === null ? body(data) : <div className="notice">{instead}</div>}
    </>
  );
}

/** It appears after 150 ms, so that quick answers do not flicker. */
export function Skeleton() {
  return (
    <div className="skeleton" role="status" aria-label={words.loading}>
      <span />
      <span />
      <span />
    </div>
  );
}
