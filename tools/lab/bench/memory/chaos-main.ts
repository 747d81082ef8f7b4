import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table, writeSection } from '../../measurement/page.ts';
import { startBenchServer } from './bench-server.ts';
import { environmentNow, MEASUREMENTS } from './report.ts';
import { whole } from './report-format.ts';
import { runStress, type StressResult } from './stress/run-stress.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, 'no-report': { type: 'boolean', default: false } },
});
const seconds = Number(values.seconds);
const say = (line: string) => process.stdout.write(`${line}\n`);

const INVARIANTS = [
  'Every chunk that the table holds is found by its own word, in each snapshot, while everyone writes.',
  'No hit is a chunk that is not stored, and none comes twice.',
  'No reader, writer or merger sees an error.',
  'Every chunk whose write was acknowledged is found at the end; none whose deletion was acknowledged is.',
  'The final index gives the same hits and scores as one that is rebuilt from the stored chunks.',
];

const server = await startBenchServer();
try {
  const { url, workerUrl } = server.urls;
  const result = await runStress({ url, workerUrl, seconds });
  INVARIANTS.forEach((invariant) => say(`checked: ${invariant}`));
  figuresOf(result).forEach(([name, value]) => say(`${name}: ${value}`));
  result.violations.forEach((violation) => say(`VIOLATED: ${violation}`));
  if (!values['no-report'])
    await writeSection(join(MEASUREMENTS, 'search.md'), 'Search', 'chaos', section(result, server.version));
  process.exitCode = result.violations.length === 0 ? 0 : 1;
} finally {
  await server.remove();
}

function figuresOf(result: StressResult): [string, string][] {
  return [
    ['processes killed with -9', String(result.kills)],
    ['writes acknowledged', whole(result.journal.acknowledged)],
    ['writes that a kill left without an answer', whole(result.journal.unanswered)],
    ['searches checked in their snapshot (by processes that were not killed)', whole(result.reads)],
    ['merges (by the same)', whole(result.merges)],
    ['acknowledged chunks looked for and found at the end', whole(result.journal.present)],
    ['deleted chunks looked for and not found at the end', whole(result.journal.gone)],
    ['violations', String(result.violations.length)],
  ];
}

function section(result: StressResult, postgresVersion: string): string {
  return [
    '## Writers, mergers and readers, killed on the way',
    '',
    `${environmentNow(postgresVersion)}. Command: \`npm run chaos -- index --seconds ${seconds}\`.`,
    '',
    `Two processes of 4 writers, 1 merger and 4 readers each work on one memory for ${seconds} s: documents are added, replaced in part and deleted, up to four chunks at a time. Each process is ended with SIGKILL once, at a third and at two thirds of the time, and started again.`,
    '',
    ...INVARIANTS.map((invariant) => `- ${invariant}`),
    '',
    table(['', ''], figuresOf(result)),
  ].join('\n');
}
