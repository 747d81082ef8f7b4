/** A PostgreSQL server of its own for each dedicated memory: own process, own data, own credentials. */
export interface EngineProvisioner {
  /**
   * Makes sure that the engine's server runs, creating it if there is none, and returns its superuser's URL. Idempotent,
   * across processes too.
   */
  ensure(engineId: string): Promise<{ adminUrl: string }>;
  /** Stops the server and deletes its data. Idempotent. */
  remove(engineId: string): Promise<void>;
}
