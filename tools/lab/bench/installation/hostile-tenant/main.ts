import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCairn } from '@cairn/testing';
import { writeSection } from '../../../measurement/page.ts';
import { ATTACKED_ENV, runPhases } from './run-phases.ts';
import { judge, reportOf } from './report.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'measurements', 'hostile-tenant.md');
const SETTLING_MS = 10_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    'quiet-minutes': { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    'no-report': { type: 'boolean' },
  },
});
const [minutes, quietMinutes, seed] = [values.minutes, values['quiet-minutes'], values.seed].map(Number) as [
  number,
  number,
  number,
];

const cairn = await startCairn({ args: [], env: ATTACKED_ENV });
try {
  process.stdout.write(
    `The polite tenant alone for ${quietMinutes} min, then both for ${minutes} min, seed ${seed} …\n`,
  );
  const durations = { settlingMs: SETTLING_MS, quietMs: quietMinutes * 60_000, besideMs: minutes * 60_000 };
  const played = await runPhases(cairn, {
    seed,
    ...durations,
    ...(values.only === undefined ? {} : { only: values.only }),
  });
  const result = judge(played);
  const body = reportOf(played, result, { minutes, quietMinutes, seed });
  process.stdout.write(`${body}\n`);
  if (values['no-report'] !== true) await writeSection(PAGE, 'Measurements: a hostile tenant', 'hostile', body);
  process.exitCode = result.passed ? 0 : 1;
} finally {
  await cairn.remove();
}
