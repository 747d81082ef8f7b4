import { type Listed, runListed } from '../run-listed.ts';

/** Measurements, each of which writes its own sections of docs/measurements. */
const BENCHES: Record<string, Listed> = {
  search: {
    script: 'apps/memory/bench/main.ts',
    about: 'one memory at growing sizes, beside GIN and ts_rank; continuous and single ingests',
  },
  graph: {
    script: 'apps/memory/bench/graph/main.ts',
    about: 'explore on a million links, communities beside searches, ingest with linking, quality of extraction',
  },
  gateway: {
    script: 'apps/gateway/bench/main.ts',
    about: 'the way through the gateway beside nginx and Express; needs nginx',
  },
};

process.exitCode = await runListed('bench', BENCHES, process.argv.slice(2));
