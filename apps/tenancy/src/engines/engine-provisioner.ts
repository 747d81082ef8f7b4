export const ENGINE_DATABASE = 'cairn';

/** Where the schema of an engine is prepared. */
export interface EngineServer {
  /** Its superuser's. */
  adminUrl: string;
  database: string;
  /** Of the engine's roles, when the server has other engines as well. */
  rolePrefix?: string;
}

/** A place of its own for each dedicated memory, with its own data and credentials. */
export interface EngineProvisioner {
  /** Makes sure that the engine's server runs, creating it if there is none. Idempotent, across processes too. */
  ensure(engineId: string): Promise<EngineServer>;
  /** Deletes the engine's data and whatever runs for it. Idempotent. */
  remove(engineId: string): Promise<void>;
}
