import { enterReplicatedCluster } from './enter.ts';

/** `npm run chaos -- cluster --minutes N --seed S`. */
const args = process.argv.slice(2);
const asked = args.some((arg) => arg.startsWith('--minutes'));
process.exitCode = await enterReplicatedCluster(asked ? args : ['--minutes=5', ...args]);
