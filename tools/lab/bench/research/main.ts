import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RunningCairn, startCairn } from '@cairn/testing';
import { writeSection } from '../../measurement/page.ts';
import { measureCrawl } from './measure-crawl.ts';
import { measurePeople } from './measure-people.ts';
import { measureRuns, type RunsMeasurement } from './measure-runs.ts';
import { crawlSection, peopleSection, runsSection } from './report.ts';

const USAGE = `Usage: npm run bench -- runs [options]

  --runs 1,10,100     how many at once, one part after the other
  --watchers 3        of each run
  --only runs,people,crawl  parts to measure
  --seed 7            of the biographies
  --note <text>       what a reader must know of this run
  --no-report         leaves the page as it is
`;
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1,10,100' },
    watchers: { type: 'string', default: '3' },
    only: { type: 'string', default: 'runs,people,crawl' },
    seed: { type: 'string', default: '7' },
    note: { type: 'string' },
    'no-report': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'measurements', 'research.md');
const GOAL = 0.9;
const COVERAGE_GOAL = 0.99;
const say = (line: string) => process.stdout.write(`${line}\n`);

if (values.help) {
  say(USAGE);
  process.exit(0);
}
const parts = values.only.split(',');
const sizes = values.runs.split(',').map(Number);
const cairn = await startCairn({
  args: [],
  env: {
    CAIRN_ALLOW_PRIVATE_NETWORK: 'true',
    CAIRN_CRAWL_PAUSE_MS: '100',
    CAIRN_RESEARCH_RUNS_MAX: String(Math.max(...sizes)),
    CAIRN_RESEARCH_RUNS_PER_TENANT_MAX: String(Math.max(...sizes)),
  },
});
try {
  if (parts.includes('runs')) await runs(cairn);
  if (parts.includes('people')) await people(cairn);
  if (parts.includes('crawl')) await crawl(cairn);
} finally {
  await cairn.remove();
}

async function runs(installation: RunningCairn): Promise<void> {
  const rows: RunsMeasurement[] = [];
  for (const size of sizes) {
    const row = await measureRuns(installation, size, Number(values.watchers));
    rows.push(row);
    const { p50, p95 } = row.latencyMs;
    say(
      `${row.completed} of ${size} runs, ${row.watchers} watchers, ${row.together} at once: p50 ${Math.round(p50)} ms, p95 ${Math.round(p95)} ms, research at most ${Math.round(row.research.most)} MB`,
    );
    if (row.completed !== size || row.faults > 0) process.exitCode = 1;
  }
  await report('runs', runsSection(rows, 'npm run bench -- runs --only runs'));
}

async function people(installation: RunningCairn): Promise<void> {
  const measured = await measurePeople(installation, Number(values.seed));
  for (const { name, precision, recall } of measured) {
    say(`${name}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
    if (precision < GOAL || recall < GOAL) process.exitCode = 1;
  }
  await report('people', peopleSection(measured, 'npm run bench -- runs --only people'));
}

async function crawl(installation: RunningCairn): Promise<void> {
  const measured = await measureCrawl(installation);
  const { covered, wanted, disallowed, busiest, research } = measured;
  say(
    `${covered} of ${wanted} pages, ${disallowed} disallowed, ${busiest} at a time, research at most ${Math.round(research.most)} MB`,
  );
  if (covered < wanted * COVERAGE_GOAL || disallowed > 0 || busiest > 1) process.exitCode = 1;
  await report('crawl', crawlSection(measured, 'npm run bench -- runs --only crawl'));
}

async function report(name: string, section: string): Promise<void> {
  if (!values['no-report'])
    await writeSection(PAGE, 'Research', name, values.note === undefined ? section : `${section}\n\n${values.note}`);
}
