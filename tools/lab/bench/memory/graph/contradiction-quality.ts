import { chunkText } from '@cairn/documents';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@cairn/contracts';
import { createDatabase } from '@cairn/postgres';
import { table } from '../../../measurement/page.ts';
import { windowsOf } from '../../../../../apps/memory/src/graph/linking/windows.ts';
import { readHere } from '../../../../../apps/memory/tests/read-here.ts';
import { listContradictionRows } from '../../../../../apps/memory/src/graph/store/contradiction-store.ts';
import { describeEntities } from '../../../../../apps/memory/src/graph/query/describe-entities.ts';
import { factsById } from '../../../../../apps/memory/src/graph/store/fact-store.ts';
import { linkDocuments } from '../../../../../apps/memory/src/graph/linking/link-documents.ts';
import { startBenchServer } from '../bench-server.ts';

const HANDBOOK = join(import.meta.dirname, '..', '..', '..', '..', '..', 'examples', 'handbook');
/** Texts in which nobody planted anything: what is found there is a false alarm until somebody has looked. */
const FOREIGN_SETS = ['hotpotqa100', 'locomo', 'scifact', 'cranfield'];
const EVERYTHING = { vaults: null, hidden: [] };

interface SentText {
  id: string;
  title: string | null;
  text: string;
  /** Texts of different scopes are in different memories. */
  scope: string;
}

interface FoundContradiction {
  subject: string;
  relation: string;
  values: string[];
  docIds: string[];
}

interface Manifest {
  pages: { path: string; title: string }[];
  disagreements: { id: string; statements: { path: string }[] }[];
}

/** Precision and recall on the example handbook. */
export async function handbookPart(): Promise<string[]> {
  const manifest = JSON.parse(await readFile(`${HANDBOOK}.json`, 'utf8')) as Manifest;
  const pages = manifest.pages.map(async ({ path }) => ({
    id: path,
    title: null,
    scope: '',
    text: await readFile(join(HANDBOOK, path), 'utf8'),
  }));
  const { found } = await contradictionsOf(await Promise.all(pages));
  const key = (paths: readonly string[]) => [...new Set(paths)].sort().join(' ');
  const planted = new Map(
    manifest.disagreements.map((each) => [key(each.statements.map((statement) => statement.path)), each.id]),
  );
  const isRight = (each: FoundContradiction) => planted.has(key(each.docIds));
  const right = found.filter(isRight);
  const missed = [...planted]
    .filter(([paths]) => !found.some((each) => key(each.docIds) === paths))
    .map(([, id]) => id);
  return [
    '### Contradictions of the example handbook',
    '',
    `${found.length} found, ${right.length} of ${planted.size} planted ones among them: precision ${(right.length / Math.max(1, found.length)).toFixed(2)}, recall ${(right.length / planted.size).toFixed(2)}. Missed: ${missed.join(', ') || 'none'}. False alarms: ${found.length - right.length}.`,
    '',
    table(
      ['entity', 'relation', 'statements', 'planted'],
      found.map((each) => [each.subject, each.relation, each.values.join(' · '), isRight(each) ? 'yes' : 'no']),
    ),
    '',
    'The rules were written with these pages at hand: recall here says that the patterns work, not how often they will elsewhere.',
    '',
  ];
}

/** How often texts that nobody planted anything in raise an alarm, and which. */
export async function foreignPart(folder: string): Promise<string[]> {
  const rows: string[][] = [];
  const alarms: string[] = [];
  for (const name of FOREIGN_SETS) {
    const file = join(folder, name, 'corpus.jsonl');
    if (!existsSync(file)) continue;
    const texts = (await readFile(file, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id: string; title?: string; text: string; scope?: string })
      .map(({ id, title, text, scope }): SentText => ({ id, title: title ?? null, text, scope: scope ?? '' }));
    const { found, facts } = await contradictionsOf(texts);
    rows.push([name, String(texts.length), String(facts), String(found.length)]);
    alarms.push(
      ...found.map((each) => `- ${name}: ${each.subject}, \`${each.relation}\`: ${each.values.join(' · ')}.`),
    );
  }
  return [
    '### Contradictions in other texts',
    '',
    'Nothing is planted in these texts, which the rules were not written for: what is found is a disagreement that they happen to have, or a false alarm.',
    '',
    table(['set', 'documents', 'facts', 'contradictions'], rows),
    '',
    ...alarms,
    '',
    'A false alarm comes of a word that means another thing in every text (“Enrollment” of two studies) without an article that would show it; where it has one (“the film”, “this contract”), nothing is stated of it.',
    '',
  ];
}

const BATCH = 64;

async function contradictionsOf(texts: readonly SentText[]): Promise<{ found: FoundContradiction[]; facts: number }> {
  const server = await startBenchServer();
  const database = createDatabase({ url: server.urls.url, applicationName: 'bench', poolMax: 1 });
  const result: { found: FoundContradiction[]; facts: number } = { found: [], facts: 0 };
  try {
    for (const scoped of Map.groupBy(texts, (text) => text.scope).values()) {
      const memory = {
        tenantId: newId('tenant'),
        memoryId: newId('memory'),
        workspaceId: newId('workspace'),
        livemode: true,
      };
      const documents = scoped.map(linkable);
      for (let first = 0; first < documents.length; first += BATCH)
        await database.withTenant(memory.tenantId, (tx) =>
          linkDocuments(tx, memory, documents.slice(first, first + BATCH), readHere),
        );
      await database.withTenant(memory.tenantId, async (tx) => {
        const [counted] = await tx.query<{ facts: number }>('SELECT count(*)::int AS facts FROM graph_facts');
        result.facts += counted!.facts;
        for (const row of await listContradictionRows(tx, memory, { after: '', fetch: null })) {
          const facts = await factsById(tx, memory, row.fact_ids);
          const described = await describeEntities(tx, memory, [row.entity_id], EVERYTHING);
          result.found.push({
            subject: described.get(row.entity_id)?.name ?? row.entity_id,
            relation: row.relation,
            values: facts.map((fact) => `${fact.negated ? 'not ' : ''}${fact.value_text} (${fact.doc_id})`),
            docIds: facts.map((fact) => fact.doc_id),
          });
        }
      });
    }
    return result;
  } finally {
    await database.close();
    await server.remove();
  }
}

function linkable({ id, title, text }: SentText) {
  const chunks = chunkText(text, title).map((chunk) => ({
    chunk_id: newId('chunk'),
    doc_id: id,
    vault_id: 'vlt_bench',
    title_path: chunk.titlePath,
    body: chunk.body,
  }));
  return {
    document: { doc_id: id, vault_id: 'vlt_bench', occurred_at: null },
    windows: windowsOf(chunks, () => []),
  };
}
