import { MEASURED } from './measured.ts';

/** Milliseconds of something in one memory, by its chunks. */
interface Law {
  base: number;
  perChunk: number;
}

/** What one engine is taken to have. */
export const ENGINE = { cores: 16, memoryBytes: 64e9, diskBytes: 4e12, connections: 500 } as const;

const SEARCHES_A_TENANT = 1 / 100;
const DOCUMENTS_A_TENANT = 1 / 500;
const SEARCH_MS_MAX = 50;
/** Of one process of the memory service at each engine: requests, background work, LISTEN. */
const REQUEST_POOL = 4;
const WORKER_POOL = 3;
const LISTENERS = 2;
const PIPELINE_MEASURED_AT = 1e5;

export const bytesAChunk = {
  rows: MEASURED.rowBytes.value,
  indexDisk: MEASURED.indexDiskBytes.value,
  index: MEASURED.indexBytes.value,
  vectors: MEASURED.vectorBytes.value,
  vectorIndex: MEASURED.vectorIndexBytes.value,
} as const;

export function connections(processes: number): number {
  return processes * (REQUEST_POOL + WORKER_POOL + LISTENERS);
}

/** The line through the smallest and the largest measured memory; the one in between tells how good it is. */
export function searchScaling(): Law {
  const [small, large] = [1e4, 1e6];
  const perChunk = (MEASURED.searchMs1m.value - MEASURED.searchMs10k.value) / (large - small);
  return { base: MEASURED.searchMs10k.value - small * perChunk, perChunk };
}

export function linear({ base, perChunk }: Law, chunks: number): number {
  return base + perChunk * chunks;
}

/** A whole search: what is around the index does not grow with the memory. */
export function pipelineMs(chunks: number): number {
  const law = searchScaling();
  return MEASURED.pipelineMs.value + linear(law, chunks) - linear(law, PIPELINE_MEASURED_AT);
}

interface Scale {
  chunks: number;
  tenants: number;
  searches: number;
  documents: number;
  gatewayCores: number;
  memoryCores: number;
  postgresCores: number;
  diskGb: number;
  vectorDiskGb: number;
  memoryGb: number;
  vectorMemoryGb: number;
  engines: number;
  vectorEngines: number;
  connections: number;
  evenMs: number;
  largest: number;
  largestMs: number;
  firstEven: string;
  firstZipf: string;
}

/** What so many chunks of so many tenants need in a busy hour. */
export function scaleOf(chunks: number, tenants: number): Scale {
  const searches = tenants * SEARCHES_A_TENANT;
  const documents = tenants * DOCUMENTS_A_TENANT;
  const law = searchScaling();
  const even = chunks / tenants;
  const memoryMs = MEASURED.documentMs.value - MEASURED.documentPostgresMs.value;
  const memoryCores = (searches * pipelineMs(even) + documents * memoryMs) / 1_000;
  const postgresCores =
    (searches * MEASURED.searchPostgresMs.value + documents * MEASURED.documentPostgresMs.value) / 1_000;
  const disk = chunks * (bytesAChunk.rows + bytesAChunk.indexDisk);
  const memory = chunks * bytesAChunk.index;
  const vectorDisk = disk + chunks * bytesAChunk.vectors;
  const vectorMemory = memory + chunks * bytesAChunk.vectorIndex;
  const processes = Math.ceil(memoryCores);
  const largest = chunks / harmonic(tenants);
  const firstOf = (oneMemory: string, its: number) => {
    const used = {
      'disk of an engine': disk / ENGINE.diskBytes,
      'memory of an engine': memory / ENGINE.memoryBytes,
      'processor of an engine': postgresCores / ENGINE.cores,
      'connections of an engine': connections(processes) / ENGINE.connections,
      [oneMemory]: linear(law, its) / SEARCH_MS_MAX,
    };
    const [first, share] = Object.entries(used).sort((one, other) => other[1] - one[1])[0]!;
    return `${first} (${Math.round(100 * share).toLocaleString('en')} %)`;
  };
  const enginesFor = (diskBytes: number, memoryBytes: number) =>
    Math.ceil(Math.max(diskBytes / ENGINE.diskBytes, memoryBytes / ENGINE.memoryBytes, postgresCores / ENGINE.cores));
  return {
    chunks,
    tenants,
    searches,
    documents,
    gatewayCores: ((searches + documents) * MEASURED.gatewayMs.value) / 1_000,
    memoryCores,
    postgresCores,
    diskGb: disk / 1e9,
    vectorDiskGb: vectorDisk / 1e9,
    memoryGb: memory / 1e9,
    vectorMemoryGb: vectorMemory / 1e9,
    engines: enginesFor(disk, memory),
    vectorEngines: enginesFor(vectorDisk, vectorMemory),
    connections: connections(processes),
    evenMs: linear(law, even),
    largest,
    largestMs: linear(law, largest),
    firstEven: firstOf('search in a memory', even),
    firstZipf: firstOf('search in the largest memory', largest),
  };
}

/** 1 + 1/2 + … + 1/n. */
function harmonic(n: number): number {
  let sum = 0;
  for (let k = 1; k <= n; k += 1) sum += 1 / k;
  return sum;
}
