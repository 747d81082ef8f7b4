import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase } from '@cairn/postgres';
import { startCairn, startTestEngines } from '@cairn/testing';
import { writeSection } from '../measurement/page.ts';
import { gainReport, graphGain } from './graph-gain.ts';
import { goldReport, measureGoldAnswers } from './gold-answers.ts';
import { readHandbookSet } from './handbook-set.ts';
import { contradictionsReport, measureContradictions } from './contradictions.ts';
import { embeddingVariables } from './embedding/embedding-variables.ts';
import { untilEmbedded } from './embedding/until-embedded.ts';
import { compareHybrids } from './hybrid.ts';
import { hybridReport } from './hybrid-report.ts';
import { type AnswerFigures, handbookQuestions, measureAnswers, setQuestions } from './answers.ts';
import { answersReport } from './answers-report.ts';
import { type Collection, leaveOneOut } from './leave-one-out.ts';
import { leaveOneOutReport } from './leave-one-out-report.ts';
import { measuringTenant } from './measuring-tenant.ts';
import { type SetMeasurement, measure, report } from './report.ts';
import { readRetrievalSet, readUnanswerable, type RetrievalSet } from './retrieval-set.ts';
import { runNode } from '../run-listed.ts';
import { type RunResult, runThroughHttp, type Shares, type Target } from './through-http.ts';
import { runTsRank } from './ts-rank.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const REPORT = join(ROOT, 'docs', 'measurements', 'search.md');
const READING_REPORT = join(ROOT, 'docs', 'measurements', 'reading.md');
const GRAPH_REPORT = join(ROOT, 'docs', 'measurements', 'graph.md');
/** Of this repository; the other sets lie in the folder that is given. */
const HANDBOOK = 'handbook';
const SETS = [HANDBOOK, 'locomo', 'scifact', 'cranfield', 'hotpotqa100'];
/** Sets whose answers are looked at, too. */
const ANSWERED = ['locomo', 'hotpotqa100'];
const INGESTION = 'ingestion';
/** Questions with short answers over documentation, which `--docs` has unpacked. */
const GOLD = 'answers';
const EXTRACTION = 'extraction';
/** Lists, tables, reports, crawls and instructions through the API, without a model and with a scripted one. */
const RESEARCH = 'research';
const RESEARCH_MODEL = 'research-model';
/** Pairs of texts that contradict each other or agree, as documents. */
const CONTRADICTIONS = 'contradictions';
/** Sets that are measured by the part that does the work. */
const SCRIPTS: Readonly<Record<string, string>> = {
  [INGESTION]: 'tools/lab/bench/memory/ingest/eval-main.ts',
  [EXTRACTION]: 'tools/lab/bench/reading/main.ts',
  [RESEARCH]: 'tools/lab/eval/research/main.ts',
  [RESEARCH_MODEL]: 'tools/lab/eval/research/model-main.ts',
};
/** Fewer say nothing of a collection that was not there. */
const VALIDATED_MIN = 3;
const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string' },
    'no-report': { type: 'boolean' },
    dump: { type: 'string' },
    docs: { type: 'string' },
    dumped: { type: 'string' },
    embedding: { type: 'string' },
  },
});
if (values.data === undefined) {
  say(
    'Usage: npm run eval -- --data <folder of retrieval sets> [--sets handbook,locomo,ingestion,extraction,contradictions,answers,research,research-model] [--docs <folder of unpacked documentation>] [--no-report] [--dump <folder> | --dumped <folder>] [--embedding <base URL>]',
  );
  process.exit(2);
}
const wanted = values.sets?.split(',') ?? [...SETS, INGESTION, EXTRACTION];
if (wanted.includes(GOLD) && values.docs === undefined) {
  say('The set “answers” asks about documentation: give the folder that it is unpacked in with --docs.');
  process.exit(2);
}
const retrieval = wanted.filter((name) => !Object.hasOwn(SCRIPTS, name) && name !== GOLD && name !== CONTRADICTIONS);
if (values.dumped !== undefined) await validateDumped(values.data, retrieval, values.dumped);
else if (values.embedding !== undefined) await evaluateHybrids(values.data, retrieval, values.embedding);
else if (retrieval.length > 0) await evaluate(values.data, retrieval);
for (const [name, script] of Object.entries(SCRIPTS)) if (wanted.includes(name)) await runScript(script, values.data);

if (wanted.includes(CONTRADICTIONS)) await evaluateContradictions(values.data);
if (wanted.includes(GOLD)) await evaluateAnswers(values.data, values.docs!);

/** What the answers themselves are worth. */
async function evaluateAnswers(folder: string, docs: string): Promise<void> {
  const cairn = await startCairn();
  try {
    const target = await measuringTenant(cairn);
    const figures = await measureGoldAnswers(target, { folder, docs, handbook: join(ROOT, 'examples', 'handbook') });
    say(JSON.stringify({ ...figures, latenciesMs: undefined }));
    if (values['no-report'] === true) say(goldReport(figures));
    else await writeSection(REPORT, 'Search', 'gold-answers', goldReport(figures));
  } finally {
    await cairn.remove();
  }
}

/** What the API says of pairs of documents. */
async function evaluateContradictions(folder: string): Promise<void> {
  const cairn = await startCairn();
  try {
    const section = contradictionsReport(await measureContradictions(await measuringTenant(cairn), folder));
    say(section);
    if (values['no-report'] !== true) await writeSection(READING_REPORT, 'Reading', 'contradictions', section);
  } finally {
    await cairn.remove();
  }
}

async function runScript(script: string, folder: string): Promise<void> {
  const args = ['--data', folder, ...(values['no-report'] === true ? ['--no-report'] : [])];
  if (values.docs !== undefined && script.startsWith('tools/lab/eval/research/')) args.push('--docs', values.docs);
  const code = await runNode(script, ...args);
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
  const measured: SetMeasurement[] = [];
  const collections: Collection[] = [];
  const gains: string[][] = [];
  const answers: AnswerFigures[] = [];
  try {
    const target = await measuringTenant(cairn);
    for (const name of names) {
      const set = name === HANDBOOK ? await readHandbookSet(name) : await readRetrievalSet(folder, name);
      const ours = await runThroughHttp(target, set);
      const theirs = await runTsRank(baseline, set);
      const one = measure(set, ours, theirs);
      measured.push(one);
      collections.push({ set, shares: ours.shares });
      say(one.row.join('  '));
      gains.push(graphGain(set, ours));
      say(`  graph: ${gains.at(-1)!.join('  ')}`);
      if (one.crossValidated !== null) say(`  cross-validated ${one.crossValidated}`);
      for (const { signal, without, alone } of one.ablation) say(`  ${signal}: without ${without}, alone ${alone}`);
      if (ANSWERED.includes(name)) answers.push(await answersOf(target, values.data!, set, ours));
      if (values.dump !== undefined) await dumpShares(values.dump, set, ours);
    }
    const handbook = await handbookQuestions(target, join(ROOT, 'examples', 'handbook'));
    answers.push(await measureAnswers(target, 'handbook', handbook, new Map()));
    for (const one of answers) say(JSON.stringify(one));
  } finally {
    await baseline.close();
    await cairn.remove();
    await engines.stop();
  }
  await validate(collections);
  if (values['no-report'] === true) return;
  await writeSection(REPORT, 'Search', 'quality', report(measured));
  await writeSection(GRAPH_REPORT, 'Graph', 'retrieval', gainReport(gains));
  await writeSection(REPORT, 'Search', 'answers', answersReport(answers));
}

/** What words and meaning are worth together, with the embedding model behind a base URL. */
async function evaluateHybrids(folder: string, names: readonly string[], embedding: string): Promise<void> {
  const cairn = await startCairn({ env: await embeddingVariables(embedding) });
  const database = createDatabase({ url: await cairn.databaseUrl(), applicationName: 'eval', poolMax: 1 });
  const collections: Collection[] = [];
  try {
    const target = await measuringTenant(cairn);
    for (const name of names) {
      const set = name === HANDBOOK ? await readHandbookSet(name) : await readRetrievalSet(folder, name);
      const ours = await runThroughHttp(target, set, () => untilEmbedded(database));
      collections.push({ set, shares: ours.shares });
      say(`${name}: ${(ours.ingestMs / 1_000).toFixed(0)} s to embed`);
      if (values.dump !== undefined) await dumpShares(values.dump, set, ours);
    }
  } finally {
    await database.close();
    await cairn.remove();
  }
  await reportHybrids(collections);
}

async function reportHybrids(collections: readonly Collection[]): Promise<void> {
  const section = hybridReport(compareHybrids(collections));
  if (values['no-report'] === true) say(section);
  else await writeSection(REPORT, 'Search', 'hybrid', section);
}

/** What the weights are worth on collections they were not fitted on. */
async function validate(collections: readonly Collection[]): Promise<void> {
  if (collections.length < VALIDATED_MIN) return;
  const section = leaveOneOutReport(leaveOneOut(collections));
  if (values['no-report'] === true) say(section);
  else await writeSection(REPORT, 'Search', 'leave-one-out', section);
}

/** The same from what an earlier run has kept, without an installation. */
async function validateDumped(folder: string, names: readonly string[], dumped: string): Promise<void> {
  const collections: Collection[] = [];
  for (const name of names) {
    const set = name === HANDBOOK ? await readHandbookSet(name) : await readRetrievalSet(folder, name);
    const kept = JSON.parse(await readFile(join(dumped, `${name}.json`), 'utf8')) as [string, Shares[]][];
    collections.push({ set, shares: new Map(kept) });
  }
  await (values.embedding === undefined ? validate(collections) : reportHybrids(collections));
}

/** Keeps what a sweep needs, so that weights can be tried without asking again. */
async function dumpShares(folder: string, set: RetrievalSet, { shares }: RunResult): Promise<void> {
  await writeFile(join(folder, `${set.name}.json`), JSON.stringify([...shares]));
}

/** Answers to the questions of a set; with the adversarial ones beside them where the set has some. */
async function answersOf(target: Target, folder: string, set: RetrievalSet, ours: RunResult): Promise<AnswerFigures> {
  const unanswerable = await readUnanswerable(folder, set.name);
  const asked = setQuestions(set, ours.memories, unanswerable);
  return measureAnswers(target, set.name, asked, ours.documentIds);
}
