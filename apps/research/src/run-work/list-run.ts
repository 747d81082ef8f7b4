import { RunFailure, type RunContext } from '@cairn/ledger';
import { addRow, type Cell } from '../lists/list-store.ts';
import type { CriterionKind, ParsedCriterion } from '../people/criteria.ts';
import type { CheckedCandidate } from '../people/find-candidates.ts';
import type { Verdict } from '../people/verify.ts';
import { changeRecord } from '../runs/run-record.ts';
import { analysePrompt, analyseSources } from './analyse.ts';
import { type Budget, budgetOf } from './budget.ts';
import { keyOf } from './lanes.ts';
import { progress } from './progress.ts';
import { readDocument, searchMemory } from './read-memory.ts';
import { readWeb, type WebParts } from './read-web.ts';
import { inputOf, legOf } from './run-input.ts';
import { readSources } from './source-store.ts';

const DOCUMENTS_MAX = { fast: 100, standard: 400, deep: 2_000 } as const;
const CHUNKS_PER_QUERY = 100;
const READ_AT_A_TIME = 8;
const WEB_BOUNDS = { pagesMax: 500, depthMax: 5 };
const MET_FROM = 0.5;
/** How texts about people and companies usually speak, to find those that name no condition in its own words. */
const USUAL_WORDS = {
  people: [
    'biography profile team member',
    'works as engineer developer manager designer',
    'lives in based in born grew up',
    'studied graduated university degree',
    'speaks languages fluent',
    'years of experience skills',
    'joined previously worked for',
  ],
  company: [
    'company founded employees headquarters',
    'supplier manufacturer provider customer',
    'offers products services',
  ],
} as const;

/** A people or company search: conditions, candidates from all sources, each checked condition by condition, listed. */
export async function listRun(
  parts: WebParts,
  context: RunContext,
  kind: 'people' | 'company',
): Promise<Record<string, unknown>> {
  const input = inputOf(context);
  const budget = budgetOf(parts, context);
  const criteria = await context.step('criteria', async () => {
    const parsed = await analysePrompt(parts, context, 'parseCriteria', { prompt: input.prompt, kind });
    const shown = parsed.map(({ criterion_id, kind: what, text }) => ({ criterion_id, kind: what, text }));
    return {
      result: parsed,
      events: [{ type: 'plan.ready', data: { criteria: shown } }],
      commit: (tx) => changeRecord(tx, context.runId, { criteria: shown, stage: 'collecting', percent: 10 }),
    };
  });
  if (criteria.length === 0)
    throw new RunFailure('no_criteria', 'The prompt names no condition that candidates could be checked by.');
  await collect(parts, context, criteria, kind, budget);
  await readWeb(parts, context, input.prompt, [input.prompt], WEB_BOUNDS, budget);
  await progress(context, 'collected', 'checking', 50);
  const candidates = await candidatesOf(parts, context, criteria, kind);
  const target = input.total_target ?? Infinity;
  let rows = 0;
  for (const candidate of candidates) {
    if (rows >= target || !(await budget.allows())) break;
    if (await checkCandidate(context, input.list_id!, candidate, criteria)) rows += 1;
  }
  return { list_id: input.list_id, rows, candidates: candidates.length, target_reached: rows >= target };
}

/** Reads what the memory has about the conditions, those together and each by itself. */
async function collect(
  parts: WebParts,
  context: RunContext,
  criteria: readonly ParsedCriterion[],
  kind: 'people' | 'company',
  budget: Budget,
): Promise<void> {
  const { prompt, sources, search_mode: mode = 'standard' } = inputOf(context);
  if (!sources.includes('memory')) return;
  const named = criteria.map(({ value, kind: what }) => `${value} ${queryWord(what)}`.trim());
  const queries = [...new Set([prompt, ...named, ...USUAL_WORDS[kind]])];
  const limits = { chunks: CHUNKS_PER_QUERY, documents: CHUNKS_PER_QUERY };
  // Continued, it looks again: there may be more by now.
  const leg = legOf(context) === 0 ? '' : `${legOf(context)}/`;
  const found = await Promise.all(
    queries.map((query) => searchMemory(parts, context, `collect/${leg}${keyOf(query)}`, query, limits)),
  );
  const docIds = [...new Set(found.flat())].slice(0, DOCUMENTS_MAX[mode]);
  for (let at = 0; at < docIds.length; at += READ_AT_A_TIME) {
    if (!(await budget.allows())) return;
    await Promise.all(docIds.slice(at, at + READ_AT_A_TIME).map((docId) => readDocument(parts, context, docId)));
  }
}

function queryWord(kind: CriterionKind): string {
  const words: Partial<Record<CriterionKind, string>> = {
    experience_years: 'years experience',
    education: 'studied university',
    language: 'speaks',
    employees: 'employees',
    founded: 'founded',
  };
  return words[kind] ?? '';
}

/** Everyone the sources speak of, checked. */
async function candidatesOf(
  parts: WebParts,
  context: RunContext,
  criteria: readonly ParsedCriterion[],
  kind: 'people' | 'company',
): Promise<CheckedCandidate[]> {
  const sources = await parts.database.withTenant(context.tenantId, (tx) =>
    readSources(tx, context.runId, { kinds: ['memory', 'web', 'upload'] }),
  );
  const { result, skipped } = await analyseSources(parts, context, 'checkCandidates', sources, (some) => ({
    sources: some.map(({ source_id, title, uri, body }) => ({ source_id, title, uri, body })),
    criteria,
    kind,
  }));
  await context.step(`candidates/${result.length}`, () =>
    Promise.resolve({
      result: null,
      events: skipped,
      commit: (tx) => changeRecord(tx, context.runId, { candidates: result.length }),
    }),
  );
  return result;
}

/** Lists the candidate when every condition is met; says of the others why not. */
function checkCandidate(
  context: RunContext,
  listId: string,
  candidate: CheckedCandidate,
  criteria: readonly ParsedCriterion[],
): Promise<boolean> {
  return context.step(`candidate/${keyOf(candidate.identityKey)}`, () => {
    const verdicts = criteria.map((criterion, index) => ({ criterion, verdict: candidate.verdicts[index]! }));
    const missing = verdicts.filter(({ verdict }) => !verdict.met || verdict.confidence < MET_FROM);
    const { name, sources } = candidate;
    const seen = { type: 'row.candidate', data: { name } };
    if (missing.length > 0) {
      const reason = missing.map(({ criterion, verdict }) => reasonOf(criterion, verdict)).join('; ');
      const failed = missing.map(({ criterion }) => criterion.criterion_id);
      return Promise.resolve({
        result: false,
        events: [seen, { type: 'row.rejected', data: { name, reason, criteria: failed } }],
      });
    }
    const cells = cellsOf(verdicts);
    return Promise.resolve({
      result: true,
      events: [seen],
      commit: async (tx) => {
        const row = { tenantId: context.tenantId, listId, identityKey: candidate.identityKey, name, cells, sources };
        const rowId = await addRow(tx, row);
        return rowId === null ? [] : [{ type: 'row.matched', data: { row_id: rowId, name, cells } }];
      },
    });
  });
}

function reasonOf({ text }: ParsedCriterion, { value }: Verdict): string {
  return value === '' ? `nothing says “${text}”` : `“${text}” is not met: ${value}`;
}

/** A column for each condition, called after its kind; a second one of a kind gets a number. */
function cellsOf(verdicts: readonly { criterion: ParsedCriterion; verdict: Verdict }[]): Record<string, Cell> {
  const cells: Record<string, Cell> = {};
  for (const { criterion, verdict } of verdicts) {
    let column: string = criterion.kind;
    for (let number = 2; column in cells; number += 1) column = `${criterion.kind}_${number}`;
    cells[column] = { value: verdict.value, confidence: verdict.confidence, evidence: verdict.evidence };
  }
  return cells;
}
