/** A figure that was measured, and how to measure it again. */
interface Measured {
  value: number;
  unit: string;
  what: string;
  /** Page of docs/measurements, and the command it names. */
  page: string;
  command: string;
}

const SEARCH = 'npm run bench -- search --parts growth';
const INGEST = 'npm run bench -- ingest';

/** Of one core of the machine that the pages name, and of chunks of 100 words. Change them with their pages. */
export const MEASURED = {
  documentMs: {
    value: 5.1,
    unit: 'ms of processor time',
    what: 'a document of 1 KB without names, from the call to the end of the queue',
    page: 'ingestion.md',
    command: INGEST,
  },
  documentPostgresMs: {
    value: 1.5,
    unit: 'ms of processor time',
    what: 'of that, PostgreSQL',
    page: 'ingestion.md',
    command: INGEST,
  },
  namedDocumentMs: {
    value: 19.0,
    unit: 'ms of processor time',
    what: 'a document of 1 KB with names in every sentence or two',
    page: 'ingestion.md',
    command: INGEST,
  },
  longDocumentMs: {
    value: 124,
    unit: 'ms of processor time',
    what: 'a document of 20 KB (28 chunks), of the first 300',
    page: 'ingestion.md',
    command: INGEST,
  },
  rowBytes: {
    value: 1_980,
    unit: 'bytes',
    what: 'a document of one chunk: rows of `documents` and `chunks` with their indexes',
    page: 'search.md',
    command: 'npm run bench -- search --parts singles',
  },
  indexDiskBytes: {
    value: 1_283,
    unit: 'bytes',
    what: 'a chunk in the index tables, free space included, at 1,000,000 chunks',
    page: 'search.md',
    command: SEARCH,
  },
  indexBytes: {
    value: 470,
    unit: 'bytes',
    what: 'a chunk in the live segments at 1,000,000 chunks: what searches read',
    page: 'search.md',
    command: SEARCH,
  },
  searchMs10k: {
    value: 2.07,
    unit: 'ms',
    what: 'p50 of the index at 10,000 chunks',
    page: 'search.md',
    command: SEARCH,
  },
  searchMs100k: { value: 3.73, unit: 'ms', what: 'p50 at 100,000', page: 'search.md', command: SEARCH },
  searchMs1m: { value: 20.9, unit: 'ms', what: 'p50 at 1,000,000', page: 'search.md', command: SEARCH },
  searchMs3m: {
    value: 132,
    unit: 'ms',
    what: 'p50 at 3,000,000, with 2 GB of buffers',
    page: 'opensearch.md',
    command: 'npm run test:opensearch -- measure --chunks 10000,100000,1000000,3000000,5000000',
  },
  searchMs5m: {
    value: 242,
    unit: 'ms',
    what: 'p50 at 5,000,000, with 2 GB of buffers',
    page: 'opensearch.md',
    command: 'npm run test:opensearch -- measure --chunks 10000,100000,1000000,3000000,5000000',
  },
  openSearchMs10k: {
    value: 34.6,
    unit: 'ms',
    what: 'p50 of OpenSearch at 10,000 chunks on two of three shards, its three nodes on the same two cores',
    page: 'opensearch.md',
    command: 'npm run test:opensearch -- measure --chunks 10000,100000,1000000,3000000,5000000',
  },
  openSearchMs100k: {
    value: 38.9,
    unit: 'ms',
    what: 'the same at 100,000',
    page: 'opensearch.md',
    command: 'npm run test:opensearch -- measure --chunks 10000,100000,1000000,3000000,5000000',
  },
  openSearchMs1m: {
    value: 54.6,
    unit: 'ms',
    what: 'the same at 1,000,000',
    page: 'opensearch.md',
    command: 'npm run test:opensearch -- measure --chunks 10000,100000,1000000,3000000,5000000',
  },
  openSearchMs3m: {
    value: 122,
    unit: 'ms',
    what: 'the same at 3,000,000',
    page: 'opensearch.md',
    command: 'npm run test:opensearch -- measure --chunks 10000,100000,1000000,3000000,5000000',
  },
  openSearchMs5m: {
    value: 61.7,
    unit: 'ms',
    what: 'the same at 5,000,000',
    page: 'opensearch.md',
    command: 'npm run test:opensearch -- measure --chunks 10000,100000,1000000,3000000,5000000',
  },
  pipelineMs: {
    value: 14.3,
    unit: 'ms of processor time',
    what: 'a whole search of the memory service at 100,000 chunks, with 8 callers',
    page: 'search.md',
    command: 'npm run bench -- search --parts pipeline',
  },
  searchPostgresMs: {
    value: 6.2,
    unit: 'ms of processor time',
    what: 'of PostgreSQL for the same search',
    page: 'search.md',
    command: 'npm run bench -- search --parts pipeline',
  },
  gatewayMs: {
    value: 0.088,
    unit: 'ms of processor time',
    what: 'a request in the gateway, every check',
    page: 'gateway.md',
    command: 'npm run bench -- gateway',
  },
  runMs: {
    value: 1_300,
    unit: 'ms of processor time',
    what: 'a run over a memory and a site of 25 pages, its three watchers, the clients and the sites included: two cores for 65 s, 100 runs',
    page: 'research.md',
    command: 'npm run bench -- runs --only runs',
  },
  deliveryMs: {
    value: 0.78,
    unit: 'ms of processor time',
    what: 'a webhook delivery: two cores, 2,549 a second, the receiver included',
    page: 'webhooks.md',
    command: 'npm run bench -- webhooks',
  },
  vectorBytes: {
    value: 5_487,
    unit: 'bytes',
    what: 'a vector of 384 numbers with pgvector: row, HNSW and other indexes, at 5,040 vectors',
    page: 'search.md',
    command: 'npm run bench -- vectors --chunks 4000 --server <url>',
  },
  vectorIndexBytes: {
    value: 1_639,
    unit: 'bytes',
    what: 'of that, HNSW, at 126,000 vectors',
    page: 'search.md',
    command: 'npm run bench -- vectors --server <url>',
  },
  usageMs: {
    value: 0.109,
    unit: 'ms of processor time',
    what: 'an event of a model call, all called evenly',
    page: 'usage.md',
    command: 'npm run bench -- usage --parts ingest',
  },
} satisfies Record<string, Measured>;
