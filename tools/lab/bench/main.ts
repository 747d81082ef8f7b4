import { type ListedScript, runListed } from '../run-listed.ts';

/** Measurements, each of which writes its own sections of docs/measurements. */
const BENCHES: Record<string, ListedScript> = {
  search: {
    script: 'tools/lab/bench/memory/main.ts',
    about: 'one memory at growing sizes, beside GIN and ts_rank; continuous and single ingests',
  },
  move: {
    script: 'tools/lab/bench/memory/move/main.ts',
    about: 'a memory of 1 GB moved to another engine under load; with --kill, its process killed at each step',
  },
  drain: {
    script: 'tools/lab/bench/installation/drain/main.ts',
    about: '100 memories on four engines, one drained; with --kill, tenancy and the memory service killed meanwhile',
  },
  vectors: {
    script: 'tools/lab/bench/memory/vectors/main.ts',
    about: 'exact scan and pgvector at 100,000 vectors, for a tenant with 1 % of them and under filters',
  },
  capacity: {
    script: 'tools/lab/capacity/main.ts',
    about: 'what things cost, how they grow and what ends first, computed from what the others measured',
  },
  graph: {
    script: 'tools/lab/bench/memory/graph/main.ts',
    about: 'explore on a million links, communities beside searches, ingest with linking, quality of extraction',
  },
  reading: {
    script: 'tools/lab/bench/reading/speed.ts',
    about: 'sentences a second that the reader reads in a worker, stage by stage',
  },
  ingest: {
    script: 'tools/lab/bench/memory/ingest/bench-main.ts',
    about: 'documents of 1 and 20 KB into one growing memory, through the gateway',
  },
  start: {
    script: 'tools/lab/bench/installation/start/main.ts',
    about: 'how long an installation takes to start, and what it takes at rest, beside bare services',
  },
  gateway: {
    script: 'tools/lab/bench/gateway/main.ts',
    about: 'the way through the gateway beside nginx and Express; needs nginx',
  },
  webhooks: {
    script: 'tools/lab/bench/webhooks/main.ts',
    about: 'deliveries to 50 endpoints beside a bare loop; latency with and without dead endpoints',
  },
  revocation: {
    script: 'tools/lab/bench/installation/revocation-main.ts',
    about: 'DELETE of a key in use at one and at three gateways, by 1, 8 and 32 callers',
  },
  runs: {
    script: 'tools/lab/bench/research/main.ts',
    about: '100 runs at once with 300 watchers; people found by each criterion',
  },
  'replica-reads': {
    script: 'tools/lab/bench/memory/replica-reads.ts',
    about: 'what searches cost the primary of PostgreSQL when streaming replicas serve them',
  },
  replicas: {
    script: 'tools/lab/bench/installation/replicas/main.ts',
    about: 'what a second replica of each service takes over from the tenth second on; needs root',
  },
  usage: {
    script: 'tools/lab/bench/usage/main.ts',
    about: 'events taken in a second, and reading a year of 50 tenants and 20 models',
  },
};

process.exitCode = await runListed('bench', BENCHES, process.argv.slice(2));
