/** One command that writes sections of docs/measurements. */
export interface Stage {
  name: string;
  /** Script and arguments, from the root of the repository. */
  command: readonly [string, ...string[]];
  /** It reads public collections: arguments for the folder that is given with `--data`. */
  withData?: (folder: string) => readonly string[];
}

const bench = (name: string, ...options: string[]): Stage => ({
  name,
  command: ['tools/lab/bench/main.ts', name, ...options],
});

/** In the order in which they run: what others compute with comes first. */
export const STAGES: readonly Stage[] = [
  bench('search'),
  {
    name: 'sessions',
    command: ['tools/lab/bench/main.ts', 'search', '--parts', 'sessions'],
    withData: (folder) => ['--data', `${folder}/longmemeval_dev_sessions`],
  },
  bench('graph'),
  bench('reading'),
  bench('ingest'),
  bench('start'),
  bench('gateway'),
  bench('webhooks'),
  bench('revocation'),
  bench('runs'),
  bench('usage'),
  bench('vectors'),
  bench('move'),
  bench('drain'),
  bench('replica-reads'),
  bench('replicas'),
  { name: 'opensearch', command: ['tools/lab/opensearch/main.ts', 'measure'] },
  { name: 'quality', command: ['tools/lab/eval/main.ts'], withData: (folder) => ['--data', folder] },
  bench('capacity'),
];
