/** An installation that a spec uses, whether it started it or not. */
export interface RunningCairn {
  baseUrl: string;
  memoryDomain: string;
  apiKey: string;
  testApiKey: string;
  tenantId: string;
  dataDir: string;
  pid: number;
  /** Everything it printed so far. */
  output(): string;
  /** Ends it as Ctrl-C does; returns the exit code. */
  stop(): Promise<number | null>;
  /** Kills the whole tree at once with -9: supervisor, services and engines. */
  kill9(): Promise<void>;
  /** Stops and deletes the data. */
  remove(): Promise<void>;
}
