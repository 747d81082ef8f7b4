import type { Config } from './config.ts';
import type { Environment } from './up/service-variables.ts';

/** What a command is given: its own configuration, and the environment that it passes on to the services. */
export type Settings = Config & { environment: Environment };
