import pg from 'pg';

/** The servers behind a database URL, of which one takes writes at a time. */
interface ServerHosts {
  /** URL with the host that is tried next. */
  readonly url: string;
  readonly count: number;
  /** Goes on to the next host after `failedUrl`, unless another caller already has. */
  leave(failedUrl: string): void;
  /** Throws for a server that takes no writes. A single host is not asked: each of its writes says so itself. */
  requireWritable(client: pg.ClientBase): Promise<void>;
}

/** What libpq calls it when only the primary is wanted. Everything Cairn connects for writes. */
const WRITABLE_ATTRIBUTES = ['read-write', 'primary'];
const ATTRIBUTES_PARAMETER = 'target_session_attrs';
/** Scheme and user, hosts with their ports, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)([/?#].*)?$/;

/**
 * Reads a URL with one host, or with several as libpq takes them: `postgres://user:password@h1:5432,h2/cairn`. They are
 * tried in order, and of several only the one that takes writes is used. Throws with an understandable message.
 */
export function serverHosts(url: string): ServerHosts {
  const urls = urlsOf(url);
  let current = 0;
  return {
    get url() {
      return urls[current]!;
    },
    count: urls.length,
    leave(failedUrl) {
      if (urls[current] === failedUrl) current = (current + 1) % urls.length;
    },
    async requireWritable(client) {
      if (urls.length === 1) return;
      const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
      if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyServerError();
    },
  };
}

/** A server that takes no writes: a standby, or a primary that was fenced. The code is PostgreSQL's own for this. */
class ReadOnlyServerError extends Error {
  readonly code = READ_ONLY_SERVER;
  constructor() {
    super('the server takes no writes');
    this.name = 'ReadOnlyServerError';
  }
}

/** SQLSTATE of a write that a read-only transaction or server refuses. */
export const READ_ONLY_SERVER = '25006';

/** Connects to the first host that answers and takes writes; throws what the last one said. */
export async function connectClient(
  url: string,
  config: Omit<pg.ClientConfig, 'connectionString'>,
): Promise<pg.Client> {
  const hosts = serverHosts(url);
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client({ ...config, connectionString: hosts.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await hosts.requireWritable(client);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (attempt === hosts.count) throw error;
      hosts.leave(hosts.url);
    }
  }
}

/** A URL for each host of a database URL. */
export function urlsOf(url: string): string[] {
  const parts = PARTS.exec(url);
  if (parts === null) throw new Error(INVALID_URL);
  const [, head = '', hosts = '', rest = ''] = parts;
  return hosts.split(',').map((host) => {
    const single = `${head}${host}${rest}`;
    if (!URL.canParse(single)) throw new Error(INVALID_URL);
    return withoutAttributes(single);
  });
}

const INVALID_URL =
  'The database URL is not valid; it is written postgres://user:password@host:5432/database, with several hosts separated by commas.';

function withoutAttributes(single: string): string {
  const url = new URL(single);
  const wanted = url.searchParams.get(ATTRIBUTES_PARAMETER);
  if (wanted === null) return single;
  if (!WRITABLE_ATTRIBUTES.includes(wanted))
    throw new Error(`${ATTRIBUTES_PARAMETER} of the database URL must be ${WRITABLE_ATTRIBUTES.join(' or ')}.`);
  url.searchParams.delete(ATTRIBUTES_PARAMETER);
  return url.href;
}
