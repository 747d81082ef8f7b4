import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { createDatabase } from '@cairn/postgres';
import {
  environment,
  quantile,
  type RunningCairn,
  startCairn,
  startTestEngines,
  table,
  writeSection,
} from '@cairn/testing';
import { meanScores, type Scores, scoreRanking } from './metrics.ts';
import { readRetrievalSet, type RetrievalSet } from './retrieval-set.ts';
import { type RunResult, runThroughHttp, type Target } from './through-http.ts';
import { runTsRank } from './ts-rank.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const REPORT = join(ROOT, 'docs', 'measurements', 'search.md');
const SETS = ['locomo', 'scifact', 'cranfield', 'hotpotqa100'];
const INGESTION = 'ingestion';
/** Plain BM25 with stop words, measured once on the same files: what the service may not fall below. */
const PLAIN_BM25: Record<string, number> = { locomo: 0.502, scifact: 0.697, cranfield: 0.351, hotpotqa100: 0.8 };
const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: { data: { type: 'string' }, sets: { type: 'string' }, 'no-report': { type: 'boolean' } },
});
if (values.data === undefined) {
  say('Usage: npm run eval -- --data <folder of retrieval sets> [--sets locomo,scifact,ingestion] [--no-report]');
  process.exit(2);
}
const wanted = values.sets?.split(',') ?? [...SETS, INGESTION];
const retrieval = wanted.filter((name) => name !== INGESTION);
if (retrieval.length > 0) await evaluate(values.data, retrieval);
if (wanted.includes(INGESTION)) await evaluateIngestion(values.data);

/** Reading, screening and routing of documents; measured by the part that does it. */
async function evaluateIngestion(folder: string): Promise<void> {
  const script = join(ROOT, 'apps', 'memory', 'bench', 'ingest', 'eval-main.ts');
  const args = [script, '--data', folder, ...(values['no-report'] === true ? ['--no-report'] : [])];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}

async function evaluate(folder: string, names: readonly string[]): Promise<void> {
  const engines = await startTestEngines();
  const baseline = createDatabase({
    url: engines.env['CAIRN_TEST_POSTGRES_URL']!,
    applicationName: 'eval',
    poolMax: 1,
  });
  const cairn = await startCairn();
  const rows: string[][] = [];
  try {
    const target = await tenantWithoutNarrowLimits(cairn);
    for (const name of names) {
      const set = await readRetrievalSet(folder, name);
      const ours = await runThroughHttp(target, set);
      const theirs = await runTsRank(baseline, set);
      rows.push(rowOf(set, ours, theirs));
      say(rows.at(-1)!.join('  '));
    }
  } finally {
    await baseline.close();
    await cairn.remove();
    await engines.stop();
  }
  if (values['no-report'] !== true) await writeSection(REPORT, 'Search', 'quality', report(rows));
}

/** Measuring is not a customer: it gets the largest plan. */
async function tenantWithoutNarrowLimits(cairn: RunningCairn): Promise<Target> {
  const command = join(ROOT, 'apps', 'cairn', 'src', 'main.ts');
  const { stdout } = await run(
    process.execPath,
    [command, 'tenant', 'create', '--name', 'Evaluation', '--plan', 'enterprise', '--json'],
    {
      env: { ...process.env, CAIRN_DATA_DIR: cairn.dataDir },
    },
  );
  return { baseUrl: cairn.baseUrl, apiKey: (JSON.parse(stdout) as { api_key: string }).api_key };
}

function scoresOf(set: RetrievalSet, result: RunResult): Scores {
  return meanScores(
    set.questions.map((question) =>
      scoreRanking(result.rankings.get(question.id) ?? [], set.judgements.get(question.id)!),
    ),
  );
}

function rowOf(set: RetrievalSet, ours: RunResult, theirs: RunResult): string[] {
  const [scores, baseline] = [scoresOf(set, ours), scoresOf(set, theirs)];
  return [
    set.name,
    `${set.documents.length} / ${set.questions.length}`,
    scores.ndcg10.toFixed(3),
    PLAIN_BM25[set.name]?.toFixed(3) ?? '—',
    baseline.ndcg10.toFixed(3),
    scores.recall10.toFixed(3),
    scores.recall100.toFixed(3),
    scores.mrr.toFixed(3),
    `${quantile(ours.latenciesMs, 0.5).toFixed(1)} / ${quantile(ours.latenciesMs, 0.95).toFixed(1)}`,
  ];
}

function report(rows: readonly (readonly string[])[]): string {
  const head = [
    'set',
    'documents / questions',
    'nDCG@10',
    'plain BM25',
    '`ts_rank`',
    'recall@10',
    'recall@100',
    'MRR',
    'ms p50 / p95',
  ];
  return [
    '## Quality, through the API, without a model',
    '',
    `${environment()}. Command: \`npm run eval -- --data <folder>\`.`,
    '',
    table(head, rows),
    '',
    'One memory a scope; every document through `POST /memory/documents`, every question through `POST /memory/search` with `top_k` 100, one after the other. `ts_rank` ran in the same run on the same documents with the words joined by OR. Plain BM25 (k1 .9, b .4, stop words) is the reference the sets came with. Times are those of the whole call, answer included.',
  ].join('\n');
}
