import { ACCESS_VERBS } from './access-verbs.ts';
import { MEMORY_VERBS } from './memory-verbs.ts';
import type { Verb } from './verb.ts';
import { WORK_VERBS } from './work-verbs.ts';

const COMPLETION: Verb = {
  name: 'completion',
  about: 'print the script by which bash, zsh or fish complete commands',
  args: '<shell>',
  run: async (session, [shell]) =>
    (await import('./completion.ts')).printCompletion(session, shell!, VERBS, Object.keys(INSTALLATION_COMMANDS)),
};

/** All that users can have done. */
export const VERBS: readonly Verb[] = [...MEMORY_VERBS, ...ACCESS_VERBS, ...WORK_VERBS, COMPLETION];

/** Nouns whose verbs are named after them, and what they are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  documents: 'what a memory holds',
  graph: 'the graph of a memory',
  memories: 'separate stores of knowledge',
  spaces: 'parts of a memory with members of their own',
  keys: 'what programs call the API with',
  context: 'installations and keys that were logged in to',
  runs: 'research over the web and the memory',
  lists: 'rows that runs have found',
  webhooks: 'addresses that events are posted to',
};

/** Commands about an installation, which load more. */
export const INSTALLATION_COMMANDS: Readonly<Record<string, string>> = {
  up: 'start PostgreSQL, NATS and every service on this machine',
  status: 'say what of the embedded installation runs',
  logs: 'print the last lines of the embedded services’ logs',
  doctor: 'check an installation and say what to do',
  backup: 'back up the embedded installation',
  restore: 'restore a backup into a new data folder',
  operator: 'tenants, engines, secrets, usage, broker, provisioning, events and restore, for operators',
};
