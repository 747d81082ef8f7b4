import pg from 'pg';
import { BatchingSocket } from './batching-socket.ts';
import { observePool } from './observe-database.ts';
import { serverHosts } from './server-hosts.ts';

interface ConnectionsOptions extends pg.PoolConfig {
  /** Of the pool in metrics. */
  name: string;
  url: string;
  /** Called for connections that broke while idle; the pool replaces them. */
  onIdleError: (error: Error) => void;
}

/** A pool whose connections all lead to a server that was not given up since. */
export interface Connections {
  acquire(): Promise<pg.PoolClient>;
  /**
   * The server of this connection shuts down or takes no writes any more: none of the connections made before now is
   * handed out again. The caller closes this one.
   */
  abandon(client: pg.PoolClient): void;
  /** A connection broke while it was used. */
  broke(): void;
  close(): Promise<void>;
}

export function createConnections({ name, url, onIdleError, ...config }: ConnectionsOptions): Connections {
  const hosts = serverHosts(url);
  /** Grows with each server that is given up. */
  let generation = 0;
  const origins = new WeakMap<pg.ClientBase, { url: string; generation: number }>();

  class HostClient extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, connectionString: hosts.url, stream: () => new BatchingSocket() });
      origins.set(this, { url: hosts.url, generation });
      // The pool listens while it is idle, a transaction while it works; a ping does not, and an error that nobody hears
      // ends the process.
      this.on('error', () => undefined);
    }
  }
  const pool = new pg.Pool({ ...config, Client: HostClient, onConnect: (client) => hosts.requireWritable(client) });
  const observer = observePool(name, pool, onIdleError);

  /** A connection to the first of the hosts that answers and takes writes. */
  async function connect(): Promise<pg.PoolClient> {
    for (let attempt = 1; ; attempt += 1) {
      const tried = hosts.url;
      try {
        return await pool.connect();
      } catch (error) {
        // Nobody gave a connection back in time, which says nothing about the host.
        if (attempt >= hosts.count || isPoolFull(error)) throw error;
        hosts.leave(tried);
      }
    }
  }

  return {
    async acquire() {
      for (;;) {
        const client = await observer.acquired(connect());
        if (origins.get(client)?.generation === generation) return client;
        client.release(true);
      }
    },
    abandon(client) {
      const origin = origins.get(client);
      // Of many that fail at once the first one speaks for all.
      if (origin === undefined || origin.generation !== generation) return;
      generation += 1;
      hosts.leave(origin.url);
    },
    broke: observer.broke,
    close: () => observer.close().then(() => pool.end()),
  };
}

/** What the pool says when all its connections are in use; a host that does not answer has another message. */
export function isPoolFull(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}
