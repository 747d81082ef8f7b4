import { RunFailure } from '../ledger/run.ts';
import { stepKeyOf } from '../ledger/step-key.ts';
import type { RunContext } from '../ledger/run-context.ts';
import { addRow, type Cell } from '../lists/list-store.ts';
import type { CriterionKind, ParsedCriterion } from '../entities/criteria.ts';
import type { CheckedCandidate } from '../entities/find-candidates.ts';
import type { CriterionCheck } from '../entities/verify.ts';
import { changeRecord } from '../runs/run-record.ts';
import { analysePrompt, analyseSources } from '../steps/analyse.ts';
import { type Budget, budgetOf } from '../steps/budget.ts';
import { progress } from '../steps/progress.ts';
import { readDocument, searchMemory } from '../steps/read-memory.ts';
import { readWeb, type WebDeps } from './read-web.ts';
import { inputOf, legOf } from '../runs/run-input.ts';
import { readSources } from '../sources/source-store.ts';

const DOCUMENTS_MAX = { fast: 100, standard: 400, deep: 2_000 } as const;
const CHUNKS_PER_QUERY = 100;
const READ_AT_A_TIME = 8;
const WEB_BOUNDS = { pagesMax: 500, depthMax: 5 };
const MET_FROM = 0.5;
/** Typical phrases about people and companies, to find texts that use none of the prompt's words. */
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

/**
 * A people or company search: parses the conditions, gathers candidates from all sources, checks each, and lists those
 * that meet all.
 */
export async function runListSearch(
  deps: WebDeps,
  context: RunContext,
  kind: 'people' | 'company',
): Promise<Record<string, unknown>> {
  const input = inputOf(context);
  const budget = budgetOf(deps, context);
  const criteria = await context.step('criteria', async () => {
    const parsed = await analysePrompt(deps, context, 'parseCriteria', { prompt: input.prompt, kind });
    const criteriaShown = parsed.map(({ criterion_id, kind: what, text }) => ({ criterion_id, kind: what, text }));
    return {
      result: parsed,
      events: [{ type: 'plan.ready', data: { criteria: criteriaShown } }],
      commit: (tx) => changeRecord(tx, context.runId, { criteria: criteriaShown, stage: 'collecting', percent: 10 }),
    };
  });
  if (criteria.length === 0)
    throw new RunFailure('no_criteria', 'The prompt names no condition that candidates could be checked by.');
  await collect(deps, context, criteria, kind, budget);
  await readWeb(deps, context, input.prompt, [input.prompt], WEB_BOUNDS, budget);
  await progress(context, 'collected', 'checking', 50);
  const candidates = await candidatesOf(deps, context, criteria, kind);
  const target = input.total_target ?? Infinity;
  let rows = 0;
  for (const candidate of candidates) {
    if (rows >= target || !(await budget.allows())) break;
    if (await checkCandidate(context, input.list_id!, candidate, criteria)) rows += 1;
  }
  return { list_id: input.list_id, rows, candidates: candidates.length, target_reached: rows >= target };
}

/** Reads what the memory has about the conditions, together and one by one. */
async function collect(
  deps: WebDeps,
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
  // A continued search looks again, because there may be more by now.
  const leg = legOf(context) === 0 ? '' : `${legOf(context)}/`;
  const found = await Promise.all(
    queries.map((query) => searchMemory(deps, context, `collect/${leg}${stepKeyOf(query)}`, query, limits)),
  );
  const docIds = [...new Set(found.flat())].slice(0, DOCUMENTS_MAX[mode]);
  for (let at = 0; at < docIds.length; at += READ_AT_A_TIME) {
    if (!(await budget.allows())) return;
    await Promise.all(docIds.slice(at, at + READ_AT_A_TIME).map((docId) => readDocument(deps, context, docId)));
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

/** All candidates of the sources, checked against the conditions. */
async function candidatesOf(
  deps: WebDeps,
  context: RunContext,
  criteria: readonly ParsedCriterion[],
  kind: 'people' | 'company',
): Promise<CheckedCandidate[]> {
  const sources = await deps.database.withTenant(context.tenantId, (tx) =>
    readSources(tx, context.runId, { kinds: ['memory', 'web', 'upload'] }),
  );
  const { result, skipped } = await analyseSources(deps, context, 'checkCandidates', sources, (some) => ({
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

/** Lists the candidate when every condition is met; otherwise emits the reason. */
function checkCandidate(
  context: RunContext,
  listId: string,
  candidate: CheckedCandidate,
  criteria: readonly ParsedCriterion[],
): Promise<boolean> {
  return context.step(`candidate/${stepKeyOf(candidate.identityKey)}`, () => {
    const checks = criteria.map((criterion, index) => ({ criterion, check: candidate.checks[index]! }));
    const missing = checks.filter(({ check }) => !check.met || check.confidence < MET_FROM);
    const { name, sources } = candidate;
    const candidateEvent = { type: 'row.candidate', data: { name } };
    if (missing.length > 0) {
      const reason = missing.map(({ criterion, check }) => reasonOf(criterion, check)).join('; ');
      const failed = missing.map(({ criterion }) => criterion.criterion_id);
      return Promise.resolve({
        result: false,
        events: [candidateEvent, { type: 'row.rejected', data: { name, reason, criteria: failed } }],
      });
    }
    const cells = cellsOf(checks);
    return Promise.resolve({
      result: true,
      events: [candidateEvent],
      commit: async (tx) => {
        const row = { tenantId: context.tenantId, listId, identityKey: candidate.identityKey, name, cells, sources };
        const rowId = await addRow(tx, row);
        return rowId === null ? [] : [{ type: 'row.matched', data: { row_id: rowId, name, cells } }];
      },
    });
  });
}

function reasonOf({ text }: ParsedCriterion, { value }: CriterionCheck): string {
  return value === '' ? `nothing says “${text}”` : `“${text}” is not met: ${value}`;
}

/** One column per condition, named after its kind; further ones of the same kind are numbered. */
function cellsOf(checks: readonly { criterion: ParsedCriterion; check: CriterionCheck }[]): Record<string, Cell> {
  const cells: Record<string, Cell> = {};
  for (const { criterion, check } of checks) {
    let column: string = criterion.kind;
    for (let number = 2; column in cells; number += 1) column = `${criterion.kind}_${number}`;
    cells[column] = { value: check.value, confidence: check.confidence, evidence: check.evidence };
  }
  return cells;
}
