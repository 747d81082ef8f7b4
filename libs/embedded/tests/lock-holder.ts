import { acquireStartLock } from '../src/process/start-lock.ts';

/** Takes the lock of the folder given and waits to be killed with it. */
await acquireStartLock(process.argv[2]!, 5_000);
process.stdout.write('held\n');
setInterval(() => {}, 60_000);
