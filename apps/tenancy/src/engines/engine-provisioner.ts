/** A PostgreSQL server of its own for each dedicated memory: own process, own data, own credentials. */
export interface EngineProvisioner {
  /**
   * Makes sure that the engine's server runs, making it if it is not there. Gives the URL of its superuser. May be
   * repeated, also by another process.
   */
  ensure(engineId: string): Promise<{ adminUrl: string }>;
  /** Ends the server and deletes everything it had. May be repeated. */
  remove(engineId: string): Promise<void>;
}
