/** An OpenSearch cluster as the operator names it. The credentials in it: never into a log or an error. */
export interface SearchAddress {
  /** Of its nodes, without credentials. */
  nodes: string[];
  credentials: { username: string; password: string } | null;
  indexName: string;
  shards: number;
  replicas: number;
  /** Shards that one memory is spread over; 1 keeps a memory on one. */
  spread: number;
  /** PostgreSQL's segments are kept too, and answer while the cluster cannot be reached. */
  keepsSegments: boolean;
}

// pattern-bound: 4096 chars — SEARCH_URL_MAX_CHARS is checked before
const SEARCH_URL =
  /^opensearch(\+http)?:\/\/(?:([^:@/?]+):([^@/?]+)@)?([^@/?]+)(?:\/([a-z0-9][a-z0-9_-]{0,99}))?(?:\?(.{0,200}))?$/;
const SEARCH_URL_MAX_CHARS = 4_096;
const INDEX_NAME = 'cairn';
const SHARDS_MAX = 1_024;
const REPLICAS_MAX = 10;
const PARAMETERS: ReadonlySet<string> = new Set(['shards', 'replicas', 'spread', 'fallback']);

/**
 * Reads `opensearch://user:password@host:9200,host:9200/index?shards=6&replicas=1&spread=2&fallback=segments`;
 * `opensearch+http://` goes without TLS. Null when it is not of that form.
 */
export function parseSearchAddress(text: string): SearchAddress | null {
  const parts = text.length > SEARCH_URL_MAX_CHARS ? null : SEARCH_URL.exec(text);
  if (parts === null) return null;
  const [, plain, username, password, hosts, indexName = INDEX_NAME, query = ''] = parts;
  const scheme = plain === undefined ? 'https' : 'http';
  const nodes = hosts!.split(',').map((host) => `${scheme}://${host}`);
  if (!nodes.every((node) => URL.canParse(node))) return null;
  const options = new URLSearchParams(query);
  const shards = numberIn(options.get('shards') ?? '1', 1, SHARDS_MAX);
  const replicas = numberIn(options.get('replicas') ?? '1', 0, REPLICAS_MAX);
  const spread = numberIn(options.get('spread') ?? '1', 1, SHARDS_MAX);
  const fallback = options.get('fallback') ?? 'none';
  if (shards === null || replicas === null || spread === null || (spread > 1 && spread >= shards)) return null;
  if (![...options.keys()].every((key) => PARAMETERS.has(key)) || !['none', 'segments'].includes(fallback)) return null;
  return {
    nodes,
    credentials:
      username === undefined
        ? null
        : { username: decodeURIComponent(username), password: decodeURIComponent(password!) },
    indexName,
    shards,
    replicas,
    spread,
    keepsSegments: fallback === 'segments',
  };
}

function numberIn(text: string, least: number, most: number): number | null {
  const number = Number(text);
  return Number.isInteger(number) && number >= least && number <= most ? number : null;
}
