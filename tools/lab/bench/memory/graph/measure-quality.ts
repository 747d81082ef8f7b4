import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environment, table } from '../../../measurement/page.ts';
import { foreignPart, handbookPart } from './contradiction-quality.ts';
import { type AnnotatedSentence, scoreCapitalised, scoreNames, type SpanScores } from './entity-quality.ts';
import { learnedAuc } from './learned-words.ts';
import { auc, crossValidatedAuc, disagreementFeatures, type SentencePair } from './sentence-disagreement.ts';

const NER_SETS = ['wnut17_dev', 'wnut17_test', 'wikigold', 'sec_fin3_test', 're3d'];

/** Contradictions of the handbook, and with a folder of sets entities and sentence pairs. */
export async function measureQuality(folder: string | null): Promise<string> {
  const parts = [
    '## Quality without a model',
    '',
    `${environment()}. Command: \`npm run bench -- graph --parts quality --data <folder>\`.`,
    '',
    ...(await handbookPart()),
  ];
  if (folder !== null)
    parts.push(...(await foreignPart(folder)), ...(await entityPart(folder)), ...(await pairPart(folder)));
  return parts.join('\n');
}

async function entityPart(folder: string): Promise<string[]> {
  const rows: string[][] = [];
  for (const name of NER_SETS) {
    const file = join(folder, 'ner', `${name}.jsonl`);
    if (!existsSync(file)) continue;
    const sentences = await readLines<AnnotatedSentence>(file);
    const [ours, baseline] = [scoreNames(sentences), scoreCapitalised(sentences)];
    rows.push([name, String(sentences.length), ...figuresOf(ours), baseline.f1.toFixed(3)]);
  }
  return [
    '### Entities',
    '',
    table(['set', 'sentences', 'precision', 'recall', 'F1', 'F1 of capitalised runs, same run'], rows),
    '',
    'Exact spans, whatever their type. The reference figures of the capitalised-span baseline are .438 for WNUT and .305 for SEC-FIN3. The sentences are spaced token by token, as no document is.',
    '',
  ];
}

function figuresOf({ precision, recall, f1 }: SpanScores): string[] {
  return [precision, recall, f1].map((figure) => figure.toFixed(3));
}

interface ClimatePair {
  claim_id: string;
  claim: string;
  evidence: string;
  label: string;
}

async function pairPart(folder: string): Promise<string[]> {
  const file = join(folder, 'climate_fever', 'pairs.jsonl');
  if (!existsSync(file)) return [];
  const all = (await readLines<ClimatePair>(file)).map(
    ({ claim_id, claim, evidence, label }): SentencePair & { label: string } => ({
      claimId: claim_id,
      claim,
      evidence,
      label,
      refutes: label === 'REFUTES',
    }),
  );
  const decided = all.filter((pair) => pair.label !== 'NOT_ENOUGH_INFO');
  return [
    '### Sentence pairs: CLIMATE-FEVER, development half',
    '',
    table(
      [
        'refuting pairs against',
        'pairs',
        'AUC: a negation in one sentence only',
        'all signs',
        'words of the claim alone',
        'words of both',
        'words of both and all signs',
      ],
      [pairRow('supporting ones', decided), pairRow('all others', all)],
    ),
    '',
    `Cross-validated by claim: five folds, each claim is scored by what was learned on others. The reference of the set is .69. Signs are what rules see between two sentences: shared words, a negation, opposite directions, numbers that differ, absolute words. They stay below the reference, and words that were learned from the set's own labels lift it over the reference: but the claim's words do so without a look at the evidence. Which side a claim of this set is on hangs on the matter, which rules do not know, and learned weights of it would be of no use for another matter (nor may they be shipped: the set is for evaluation). So without a model the service raises no contradiction from free sentences; it compares statements that it could read into subject, relation and value.`,
    '',
  ];
}

function pairRow(against: string, pairs: readonly SentencePair[]): string[] {
  const negation = auc(
    pairs.map((pair) => disagreementFeatures(pair.claim, pair.evidence)[NEGATED_ONCE]!),
    pairs.map((pair) => pair.refutes),
  );
  const learned = (signs: boolean, claimWords: boolean, evidenceWords: boolean) =>
    learnedAuc(pairs, { signs, claimWords, evidenceWords });
  return [
    against,
    String(pairs.length),
    ...[
      ...[negation, crossValidatedAuc(pairs), learned(false, true, false)],
      ...[learned(false, true, true), learned(true, true, true)],
    ].map((figure) => figure.toFixed(3)),
  ];
}

/** The place of that sign among the signs. */
const NEGATED_ONCE = 2;

async function readLines<T>(file: string): Promise<T[]> {
  return (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
