import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@cairn/contracts';
import { createDatabase } from '@cairn/postgres';
import { environment, table } from '@cairn/testing';
import { chunkText } from '../../src/chunk-text.ts';
import { listContradictionRows } from '../../src/graph/contradiction-store.ts';
import { ruleReader } from '../../src/graph/chunk-readers.ts';
import { factsById } from '../../src/graph/fact-store.ts';
import { linkDocuments } from '../../src/graph/link-documents.ts';
import { startBenchServer } from '../bench-server.ts';
import { type AnnotatedSentence, scoreCapitalised, scoreNames, type SpanScores } from './entity-quality.ts';
import { auc, crossValidatedAuc, disagreementSigns, type SentencePair } from './sentence-disagreement.ts';

const HANDBOOK = join(import.meta.dirname, '..', '..', '..', '..', 'examples', 'handbook');
const NER_SETS = ['wnut17_dev', 'wnut17_test', 'wikigold', 'sec_fin3_test', 're3d'];

/** Contradictions of the handbook, and with a folder of sets entities and sentence pairs. */
export async function measureQuality(folder: string | null, say: (line: string) => void): Promise<string> {
  const parts = [
    '## Quality without a model',
    '',
    `${environment()}. Command: \`npm run bench -- graph --parts quality --data <folder>\`.`,
    '',
    ...(await contradictionPart(say)),
  ];
  if (folder !== null) parts.push(...(await entityPart(folder)), ...(await pairPart(folder)));
  return parts.join('\n');
}

interface Manifest {
  pages: { path: string; title: string }[];
  disagreements: { id: string; statements: { path: string }[] }[];
}

async function contradictionPart(say: (line: string) => void): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(HANDBOOK, 'manifest.json'), 'utf8')) as Manifest;
  const found = await contradictionsOf(manifest);
  const key = (paths: readonly string[]) => [...new Set(paths)].sort().join(' ');
  const planted = new Map(
    manifest.disagreements.map((each) => [key(each.statements.map((statement) => statement.path)), each.id]),
  );
  const right = found.filter((each) => planted.has(key(each.paths)));
  const missed = [...planted].filter(([paths]) => !found.some((each) => key(each.paths) === paths)).map(([, id]) => id);
  const falseAlarms = found.filter((each) => !planted.has(key(each.paths)));
  for (const each of found) say(`  ${each.relation}: ${each.values.join(' | ')}`);
  return [
    '### Contradictions of the example handbook',
    '',
    `${found.length} found, ${right.length} of ${planted.size} planted ones among them: precision ${(right.length / Math.max(1, found.length)).toFixed(2)}, recall ${(right.length / planted.size).toFixed(2)}. Missed: ${missed.join(', ') || 'none'}. False alarms: ${falseAlarms.map((each) => `${each.relation} (${each.values.join(' | ')})`).join('; ') || 'none'}.`,
    '',
    table(
      ['entity and relation', 'statements'],
      found.map((each) => [`${each.relation}`, each.values.join(' · ')]),
    ),
    '',
    'The rules were written with these pages at hand: recall here says that the patterns work, not how often they will elsewhere.',
    '',
  ];
}

interface FoundContradiction {
  relation: string;
  values: string[];
  paths: string[];
}

async function contradictionsOf(manifest: Manifest): Promise<FoundContradiction[]> {
  const server = await startBenchServer();
  const database = createDatabase({ url: server.urls.url, applicationName: 'bench', poolMax: 1 });
  const memory = {
    tenantId: newId('tenant'),
    memoryId: newId('memory'),
    workspaceId: newId('workspace'),
    livemode: true,
  };
  try {
    const documents = await Promise.all(
      manifest.pages.map(async ({ path }) => {
        const chunks = chunkText(await readFile(join(HANDBOOK, path), 'utf8'), null).map((chunk) => ({
          ...{ chunk_id: newId('chunk'), doc_id: path, vault_id: 'vlt_bench' },
          ...{ title_path: chunk.titlePath, body: chunk.body },
        }));
        return { document: { doc_id: path, vault_id: 'vlt_bench', occurred_at: null }, chunks };
      }),
    );
    return await database.withTenant(memory.tenantId, async (tx) => {
      await linkDocuments(tx, memory, documents, ruleReader);
      const rows = await listContradictionRows(tx, memory, { after: '', fetch: null });
      return Promise.all(
        rows.map(async (row) => {
          const facts = await factsById(tx, memory, row.fact_ids);
          return {
            relation: `${row.relation}`,
            values: facts.map((fact) => `${fact.value_text} (${fact.doc_id})`),
            paths: facts.map((fact) => fact.doc_id),
          };
        }),
      );
    });
  } finally {
    await database.close();
    await server.remove();
  }
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
  const negation = (pairs: readonly SentencePair[]) =>
    auc(
      pairs.map((pair) => disagreementSigns(pair.claim, pair.evidence)[2]!),
      pairs.map((pair) => pair.refutes),
    );
  return [
    '### Sentence pairs: CLIMATE-FEVER, development half',
    '',
    table(
      [
        'refuting pairs against',
        'pairs',
        'AUC of a negation in one sentence only',
        'AUC of all signs, cross-validated by claim',
      ],
      [
        [
          'supporting ones',
          String(decided.length),
          negation(decided).toFixed(3),
          crossValidatedAuc(decided).toFixed(3),
        ],
        ['all others', String(all.length), negation(all).toFixed(3), crossValidatedAuc(all).toFixed(3)],
      ],
    ),
    '',
    'This is below the .69 of the reference: whether a sentence refutes a claim hangs on knowledge of the matter, which rules do not have. Without a model the service therefore raises no contradiction from free sentences; it compares statements that it could read into subject, relation and value.',
    '',
  ];
}

async function readLines<T>(file: string): Promise<T[]> {
  return (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
