import type { KeyRing } from '@cairn/encryption';
import type { Database } from '@cairn/postgres';
import { DEFAULT_ENGINE, type EngineRow } from '../stores/engine-store.ts';
import { decryptEngineSecret, replicaUrlOf } from './engine-secret.ts';

interface EngineConnection {
  engineId: string;
  url: string;
  workerUrl: string;
  replicaUrls: string[];
  revision: bigint;
  dedicated: boolean;
  searchUrl: string;
}

/** How the memory service connects to the engines beside its own. */
export async function listEngineConnections(deps: {
  workerDatabase: Database;
  keyRing: KeyRing;
}): Promise<EngineConnection[]> {
  const rows = await deps.workerDatabase.transaction((tx) =>
    tx.query<EngineRow & { sealed: string }>(
      `SELECT engines.*, sealed FROM engines JOIN engine_secrets USING (engine_id)
        WHERE status <> 'provisioning' AND engine_id <> $1 ORDER BY engine_id`,
      [DEFAULT_ENGINE],
    ),
  );
  const connections = await Promise.all(
    rows.map(async (row) => {
      const {
        roles,
        replicas = [],
        searchUrl = '',
      } = await decryptEngineSecret(deps.keyRing, row.engine_id, row.sealed);
      if (roles === null) return [];
      return [
        {
          engineId: row.engine_id,
          url: roles.url,
          workerUrl: roles.workerUrl,
          replicaUrls: replicas.map((replica) => replicaUrlOf(roles.url, replica)),
          revision: BigInt(row.revision),
          dedicated: row.kind === 'dedicated',
          searchUrl,
        },
      ];
    }),
  );
  return connections.flat();
}
