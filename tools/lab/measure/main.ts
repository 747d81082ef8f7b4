import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { environment } from '../measurement/page.ts';
import { runNode } from '../run-listed.ts';
import { compareVersions } from './compare.ts';
import { regressionPage } from './report.ts';
import { type Stage, STAGES } from './stages.ts';

const USAGE = `Usage: npm run measure -- [options]

Runs every measurement, one after the other (hours on two cores; nothing else should run on the machine), each with its
peers, and writes its pages in docs/measurements. Then compares their tables with those of the last commit and writes
docs/measurements/regressions.md.

  --only ${STAGES.map(({ name }) => name).join(',')}
  --data <folder>     public collections, for quality and sessions; without it they are left out, and said to be
  --since HEAD        the commit whose pages are compared
  --compare           measures nothing, compares the pages as they are
`;

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FOLDER = 'docs/measurements';
const PAGE = 'regressions.md';
const run = promisify(execFile);
const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    data: { type: 'string' },
    since: { type: 'string', default: 'HEAD' },
    compare: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const only = values.only?.split(',') ?? STAGES.map(({ name }) => name);
const unknown = only.filter((name) => !STAGES.some((stage) => stage.name === name));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) say(`Not a measurement: ${unknown.join(', ')}.\n`);
  say(USAGE);
  process.exit(values.help ? 0 : 2);
}

const { stdout: since } = await run('git', ['rev-parse', '--short', values.since], { cwd: ROOT });
const failed: string[] = [];
if (!values.compare)
  for (const stage of STAGES.filter(({ name }) => only.includes(name)))
    if (!(await measure(stage))) failed.push(stage.name);
await compare(since.trim());
if (failed.length > 0) say(`Failed: ${failed.join(', ')}. What they had not written yet is as it was.`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** False when it failed; the others are measured all the same. */
async function measure({ name, command, withData }: Stage): Promise<boolean> {
  if (withData !== undefined && values.data === undefined) {
    say(`== ${name}: left out, it wants --data <folder>`);
    return true;
  }
  const args = [...command, ...(withData?.(values.data!) ?? [])] as const;
  say(`== ${name}: node ${args.join(' ')}`);
  return (await runNode(...args)) === 0;
}

async function compare(commit: string): Promise<void> {
  const pages = (await readdir(join(ROOT, FOLDER))).filter((name) => name.endsWith('.md') && name !== PAGE);
  const results = await Promise.all(
    pages.map(async (page) => {
      const before = await committed(commit, page);
      return before === null
        ? { changed: [], compared: 0, unmatched: new Map<string, number>() }
        : compareVersions(page, before, await readFile(join(ROOT, FOLDER, page), 'utf8'));
    }),
  );
  const all = {
    changed: results.flatMap(({ changed }) => changed),
    compared: results.reduce((sum, { compared }) => sum + compared, 0),
    unmatched: new Map(
      results.flatMap(({ unmatched }, at) =>
        [...unmatched].map(([section, count]) => [`${pages[at]!}, ${section}`, count] as const),
      ),
    ),
  };
  if (all.compared === 0) {
    say(`Nothing was measured again since ${commit}.`);
    return;
  }
  await writeFile(join(ROOT, FOLDER, PAGE), regressionPage(commit, environment(), all));
  const worse = all.changed.filter(({ change }) => change === 'worse').length;
  say(`${all.compared} figures compared with ${commit}: ${worse} are worse. See ${FOLDER}/${PAGE}.`);
}

/** The page as the commit has it; null when it had none. */
async function committed(commit: string, page: string): Promise<string | null> {
  const { stdout: listed } = await run('git', ['ls-tree', '--name-only', commit, `${FOLDER}/${page}`], { cwd: ROOT });
  if (listed.trim() === '') return null;
  const { stdout } = await run('git', ['show', `${commit}:${FOLDER}/${page}`], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
