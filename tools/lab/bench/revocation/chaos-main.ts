import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { schedules } from '../../../../libs/revocation/tests/schedules.ts';
import { GUARDS, simulate } from '../../../../libs/revocation/tests/simulation.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const numRuns = Number(values.schedules);
const seed = Number(values.seed);
const PROGRESS_EVERY = 5_000;
/** A guard that so many schedules do not miss is not proven to be needed. */
const RUNS_TO_BREAK = 20_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

say(`${numRuns} schedules of the revocation protocol, seed ${seed}`);
let done = 0;
const whole = await fc.check(
  fc.asyncProperty(schedules, async (schedule) => {
    const broken = await simulate(schedule);
    done += 1;
    if (done % PROGRESS_EVERY === 0) say(`  ${done}`);
    if (broken.length > 0) throw new Error(broken.join('; '));
  }),
  { numRuns, seed },
);
if (whole.failed) {
  say(`VIOLATED after ${whole.numRuns} schedules: ${String(whole.errorInstance)}`);
  say(`  npm run chaos -- revocation --seed ${whole.seed}, path ${whole.counterexamplePath}`);
  say(JSON.stringify(whole.counterexample));
} else say('no request was admitted whose first byte was sent after its invalidation was answered');

let needed = 0;
for (const guard of GUARDS) {
  const without = await fc.check(
    fc.asyncProperty(schedules, async (schedule) => {
      const broken = await simulate(schedule, new Set([guard]));
      if (broken.length > 0) throw new Error(broken[0]);
    }),
    { numRuns: RUNS_TO_BREAK, seed, endOnFailure: true },
  );
  if (without.failed) needed += 1;
  const error = without.errorInstance instanceof Error ? without.errorInstance.message : '';
  say(`without the ${guard}: ${without.failed ? `fails after ${without.numRuns} schedules: ${error}` : 'NOT MISSED'}`);
}
process.exitCode = whole.failed || needed < GUARDS.length ? 1 : 0;
