import { type ListedScript, runListed } from '../run-listed.ts';

/** Runs in which parts are killed on the way, and what must be true all the same. */
const RUNS: Record<string, ListedScript> = {
  cluster: {
    script: 'tools/lab/cluster/replicated/chaos-main.ts',
    about: 'random faults on several replicas of everything under load; what must hold of every service',
  },
  escalation: {
    script: 'tools/lab/bench/keys/chaos-main.ts',
    about: 'simulated sequences of minting, changing and rotating keys, with all rules and without each',
  },
  index: {
    script: 'tools/lab/bench/memory/chaos-main.ts',
    about: 'writers, mergers and readers of one memory in two processes, each killed once',
  },
  'hostile-tenant': {
    script: 'tools/lab/bench/installation/hostile-tenant/main.ts',
    about: 'a seeded tenant attacks for ten minutes beside a polite one, which must not notice',
  },
  ingest: {
    script: 'tools/lab/bench/memory/ingest/chaos-main.ts',
    about: 'mixed documents while the memory service is killed again and again; none lost, none twice, one event each',
  },
  revocation: {
    script: 'tools/lab/bench/revocation/chaos-main.ts',
    about: 'simulated schedules of the revocation protocol, with all guards and without each',
  },
  webhooks: {
    script: 'tools/lab/bench/webhooks/chaos-main.ts',
    about: 'events under way while the broker is gone, PostgreSQL restarts and the service is killed',
  },
  soak: {
    script: 'tools/lab/bench/installation/soak-main.ts',
    about: 'half an hour of mixed traffic, aborts and bad input; memory and descriptors must stay flat',
  },
  usage: {
    script: 'tools/lab/bench/usage/chaos-main.ts',
    about: 'calls delivered again and again and charges of runs, the service killed on the way',
  },
};

process.exitCode = await runListed('chaos', RUNS, process.argv.slice(2));
