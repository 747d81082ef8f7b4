/** What an installation consists of. */
export type Part = 'postgres' | 'nats' | 'gateway' | 'keys' | 'tenancy' | 'memory' | 'research' | 'webhooks' | 'usage';

/** A secret of an installation and who may hold it. */
export interface OwnedSecret {
  owner: string;
  secret: string;
}

/** What specs see and do inside an installation, past its interface. */
export interface CairnInternals {
  /** postgres:// URL of the superuser, for the database of all services. */
  databaseUrl(): Promise<string>;
  /** nats:// URL of the user with all permissions. */
  eventsUrl(): Promise<string>;
  /** The variables of a service, addresses and files as they are on this machine: enough to start a replica of it. */
  environmentOf(service: Part): Promise<Record<string, string>>;
  /** The module that a service runs, on this machine: its bundle, or its source. */
  moduleOf(service: Part): Promise<string>;
  /** Every password and key of the services, for specs that prove who holds which. */
  ownedSecrets(): Promise<OwnedSecret[]>;
  /** Kills one part with -9; whoever watches over it starts it again. */
  kill(part: Part): Promise<void>;
  /** Runs `work` while the part is down and nobody starts it again. */
  without<T>(part: 'postgres' | 'nats', work: () => Promise<T>): Promise<T>;
  /** What runs of it now: process ids, or ids of containers. */
  processes(): Promise<(number | string)[]>;
  /** A folder with every file that it keeps on disks; a copy where those are volumes. */
  files(): Promise<string>;
}

/** An installation that a spec uses, whether it started it or not. */
export interface RunningCairn extends CairnInternals {
  /** Whether it runs under `cairn up` on this machine; otherwise its parts run in containers. */
  embedded: boolean;
  baseUrl: string;
  memoryDomain: string;
  apiKey: string;
  testApiKey: string;
  tenantId: string;
  /** The folder of an embedded one. Another is started again when it is passed to `startCairn`. */
  dataDir: string;
  /** Of the supervisor of an embedded one. */
  pid: number;
  /** This machine's address for the services: what a spec serves to them listens there, and their answers come from there. */
  hostAddress: string;
  /** Everything it printed so far. */
  output(): string;
  /** Ends it as Ctrl-C does; returns the exit code. */
  stop(): Promise<number | null>;
  /** Kills everything at once with -9: supervisor, services and engines. */
  kill9(): Promise<void>;
  /** Stops and deletes the data. */
  remove(): Promise<void>;
}
