import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { GUARDS, simulate } from '../../../../apps/keys/tests/escalation/simulation.ts';
import { sequences } from '../../../../apps/keys/tests/escalation/steps.ts';

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const numRuns = Number(values.sequences);
const seed = Number(values.seed);
const STEPS_MAX = 20;
const PROGRESS_EVERY = 20_000;
/** A guard whose absence so many sequences do not notice is not proven to be needed. */
const RUNS_TO_BREAK = 20_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

say(`${numRuns} sequences of minting, changing, rotating, OAuth clients and tokens, seed ${seed}`);
let done = 0;
const whole = fc.check(
  fc.property(sequences(STEPS_MAX), (sequence) => {
    const broken = simulate(sequence);
    done += 1;
    if (done % PROGRESS_EVERY === 0) say(`  ${done}`);
    if (broken.length > 0) throw new Error(broken.join('; '));
  }),
  { numRuns, seed },
);
if (whole.failed) {
  say(`VIOLATED after ${whole.numRuns} sequences: ${String(whole.errorInstance)}`);
  say(`  npm run chaos -- escalation --seed ${whole.seed}, path ${whole.counterexamplePath}`);
  say(JSON.stringify(whole.counterexample));
} else say('no credential came to allow what none of the first ones allowed');

let needed = 0;
for (const guard of GUARDS) {
  const without = fc.check(
    fc.property(sequences(STEPS_MAX), (sequence) => simulate(sequence, new Set([guard])).length === 0),
    { numRuns: RUNS_TO_BREAK, seed, endOnFailure: true },
  );
  if (without.failed) needed += 1;
  say(`without the ${guard}: ${without.failed ? `fails after ${without.numRuns} sequences` : 'NOT MISSED'}`);
}
process.exitCode = whole.failed || needed < GUARDS.length ? 1 : 0;
