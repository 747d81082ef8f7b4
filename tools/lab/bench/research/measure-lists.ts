import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { readListRequest } from '../../../../apps/research/src/entities/criteria.ts';
import {
  type CheckedCandidate,
  findCandidates,
  profilesOf,
} from '../../../../apps/research/src/entities/find-candidates.ts';

const { values } = parseArgs({ options: { data: { type: 'string' } } });

interface Prompt {
  id: string;
  kind: 'people' | 'company';
  prompt: string;
}

interface Row {
  name: string;
  cells: Record<string, { value: string }>;
}

/** The scorer of the data, which is no part of the project. */
interface Scorer {
  scoreList(rows: readonly Row[], prompt: Prompt): Record<string, number | string[]>;
  totalLists(scores: readonly object[]): Record<string, number>;
}

/**
 * Reads a collection as a list search does, but without a server, and scores the rows of each prompt:
 * `node tools/lab/bench/research/measure-lists.ts --data <folder with research/lists.json, its corpus and tools>`.
 */
async function main(folder: string): Promise<void> {
  const { corpus, prompts } = JSON.parse(readFileSync(join(folder, 'research', 'lists.json'), 'utf8')) as {
    corpus: string;
    prompts: Prompt[];
  };
  const lines = readFileSync(join(folder, 'research', corpus, 'corpus.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const texts = lines.map((line) => JSON.parse(line) as { id: string; title: string; text: string });
  const before = performance.now();
  const profiles = profilesOf(texts.map(({ id, title, text }) => ({ source_id: id, title, uri: null, body: text })));
  const seconds = ((performance.now() - before) / 1_000).toFixed(1);
  process.stdout.write(`${texts.length} texts read in ${seconds} s, ${profiles.length} profiles\n`);
  const { scoreList, totalLists } = (await import(
    pathToFileURL(resolve(folder, 'tools', 'research_lib.mjs')).href
  )) as Scorer;
  const scores = prompts.map((prompt) => {
    const kind = prompt.kind === 'people' ? 'person' : 'organisation';
    const request = readListRequest(prompt.prompt, kind);
    const candidates = findCandidates(profiles, request, kind);
    const rows = candidates.filter(({ checks }) => checks.every(({ met }) => met)).map(rowOf);
    const score = scoreList(rows, prompt);
    process.stdout.write(`${prompt.id} ${prompt.prompt}: ${JSON.stringify(score)}\n`);
    return score;
  });
  process.stdout.write(`${JSON.stringify(totalLists(scores))}\n`);
}

function rowOf({ name, columns }: CheckedCandidate): Row {
  return { name, cells: Object.fromEntries(columns.map(({ column, value }) => [column, { value }])) };
}

if (values.data === undefined) throw new Error('--data names the folder with the prompts and their collection');
await main(values.data);
