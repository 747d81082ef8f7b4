import { removeDatabase } from '@cairn/postgres';
import type { EngineProvisioner } from './engine-provisioner.ts';

const ENGINE_ID = /^eng_[1-9A-HJ-NP-Za-km-z]+$/;

/**
 * A database with roles of its own for each engine, on a PostgreSQL server that the operator runs. Nobody else's roles
 * may connect to it. The URL is a superuser's; it is stored nowhere.
 */
export function createServerProvisioner(adminUrl: string): EngineProvisioner {
  const namesOf = (engineId: string) => {
    if (!ENGINE_ID.test(engineId)) throw new Error(`${engineId} is not an engine id`);
    return { database: `cairn_${engineId}`, rolePrefix: engineId };
  };
  return {
    // Nothing to start: database and roles are made when the schema is prepared.
    ensure: async (engineId) => ({ adminUrl, ...namesOf(engineId) }),
    async remove(engineId) {
      await removeDatabase({ superuserUrl: adminUrl, ...namesOf(engineId) });
    },
  };
}
