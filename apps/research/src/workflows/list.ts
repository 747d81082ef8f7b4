import { type NewEvent, RunFailure } from '../ledger/run.ts';
import { stepKeyOf } from '../ledger/step-key.ts';
import type { RunContext } from '../ledger/run-context.ts';
import { addRow, type Cell, countRows } from '../lists/list-store.ts';
import { isUnrestrictedClass } from '../entities/requested-class.ts';
import type { ListRequest, ParsedCriterion } from '../entities/criteria.ts';
import type { CheckedCandidate } from '../entities/find-candidates.ts';
import type { EntityKind } from '../entities/nouns.ts';
import type { Profile } from '../entities/profile.ts';
import type { CriterionCheck } from '../entities/verify.ts';
import { changeRecord } from '../runs/run-record.ts';
import { analyseFindings, analysePrompt, analyseSources } from '../steps/analyse.ts';
import { budgetOf } from '../steps/budget.ts';
import { gatherForList } from '../steps/gather.ts';
import { progress } from '../steps/progress.ts';
import { readEntries } from '../steps/read-entries.ts';
import { requireSource } from '../steps/require-source.ts';
import { withoutRecordedEvents } from '../steps/without-recorded-events.ts';
import { listPlanText } from './list-plan-text.ts';
import { placesOf, readWeb, type WebDeps } from './read-web.ts';
import { inputOf, continuationOf } from '../runs/run-input.ts';
import { readSources } from '../sources/source-store.ts';

const WEB_BOUNDS = { pagesMax: 500, depthMax: 5 };
const MET_FROM = 0.5;
/** Text that is read for candidates in one task. */
const BATCH_CHARS = 200_000;
/** Candidates that meet some conditions; what is missing is reported with them. */
const NEARLY_MAX = 50;
const NAMED_MAX = 5;

/**
 * A people or company search: reads what is asked for, gathers candidates from all sources, checks each, and lists
 * those that meet all conditions, with the columns asked for.
 */
export async function runListSearch(
  deps: WebDeps,
  context: RunContext,
  listed: 'people' | 'company',
): Promise<Record<string, unknown>> {
  const input = inputOf(context);
  const kind = listed === 'people' ? 'person' : 'organisation';
  const budget = budgetOf(deps, context);
  const places = await placesOf(deps, context, input.prompt);
  // A step whose result changes gets a new name: runs of versions before are continued, and run beside this one.
  const { request, queries } = await context.step('criteria/2', async () => {
    const read = await analysePrompt(deps, context, 'readListRequest', { prompt: input.prompt, kind });
    const shown = read.request.criteria.map(({ criterion_id, kind: what, text }) => ({
      criterion_id,
      kind: what,
      text,
    }));
    const columns = read.request.columns.map(({ name }) => name);
    const about = { prompt: input.prompt, target: input.total_target ?? null, places };
    const brief = shown.length === 0 ? '' : listPlanText(listed, read.request, about);
    const plan = { ...(brief === '' ? {} : { brief }), criteria: shown, ...(columns.length === 0 ? {} : { columns }) };
    return {
      result: read,
      events: [{ type: 'plan.ready', data: plan }],
      commit: (tx) => changeRecord(tx, context.runId, { criteria: shown, brief, stage: 'collecting', percent: 10 }),
    };
  });
  if (request.criteria.length === 0)
    throw new RunFailure(
      'no_criteria',
      'The prompt names no condition that candidates could be checked by. Say what they are or do, where they are, whom they work for or when they were born or founded: “architects born in Oslo before 1950”.',
    );
  await gatherForList(deps, context, queries, budget);
  await readWeb(deps, context, input.prompt, [input.prompt], WEB_BOUNDS, budget);
  await progress(context, 'collected', 'checking', 50);
  const candidates = await candidatesOf(deps, context, request, kind);
  const target = input.total_target ?? Infinity;
  const matching = candidates.filter((candidate) => missingOf(candidate, request.criteria).length === 0);
  // What has been read is listed even when the budget is used up: that costs next to nothing.
  for (const candidate of matching) {
    if ((await rowsOf(deps, context, input.list_id!)) >= target) break;
    await listCandidate(context, input.list_id!, candidate, request);
  }
  await requireSource(deps, context);
  const rows = await rowsOf(deps, context, input.list_id!);
  const nearly = candidates.filter((candidate) => !matching.includes(candidate)).slice(0, NEARLY_MAX);
  for (const candidate of nearly) await emitNearMiss(context, candidate, request);
  if (rows === 0)
    await emitEmptyReason(context, nearly, request, { candidates: candidates.length, isCut: !(await budget.allows()) });
  return {
    list_id: input.list_id,
    rows,
    candidates: candidates.length,
    target_reached: rows >= target,
    nearly_matched: nearly.map((candidate) => ({
      name: candidate.name,
      missing: missingOf(candidate, request.criteria).map(({ criterion }) => criterion.text),
    })),
  };
}

function rowsOf({ database }: WebDeps, { tenantId }: RunContext, listId: string): Promise<number> {
  return database.withTenant(tenantId, (tx) => countRows(tx, listId));
}

/** All candidates of the sources, checked against the conditions. */
async function candidatesOf(
  deps: WebDeps,
  context: RunContext,
  request: ListRequest,
  kind: EntityKind,
): Promise<CheckedCandidate[]> {
  const sources = await deps.database.withTenant(context.tenantId, (tx) =>
    readSources(tx, context.runId, { kinds: ['memory', 'web', 'upload'] }),
  );
  const everybody = request.criteria.some(({ classes }) => classes.some(isUnrestrictedClass));
  const profiles: Profile[] = [];
  const events: NewEvent[] = [];
  for (const batch of batchesOf(sources)) {
    const { result, skipped } = await analyseSources(deps, context, 'readProfiles', batch, (some) => ({
      sources: some.map(({ source_id, title, uri, body }) => ({ source_id, title, uri, body })),
      kind,
      everybody,
    }));
    profiles.push(...result);
    events.push(...skipped);
  }
  profiles.push(...(await readEntries(deps, context, sources, { request, kind })));
  const checked = await analyseFindings(deps, context, 'checkCandidates', { profiles, request, kind });
  await context.step(`candidates/${checked.length}`, () =>
    Promise.resolve({
      result: null,
      commit: async (tx) => {
        await changeRecord(tx, context.runId, { candidates: checked.length });
        return withoutRecordedEvents(tx, context.runId, events);
      },
    }),
  );
  return checked;
}

/** Consecutive sources whose texts are read together. */
function batchesOf<Source extends { body: string }>(sources: readonly Source[]): Source[][] {
  const batches: Source[][] = [];
  let chars = Infinity;
  for (const source of sources) {
    if (chars + source.body.length > BATCH_CHARS) {
      batches.push([]);
      chars = 0;
    }
    batches.at(-1)!.push(source);
    chars += source.body.length;
  }
  return batches;
}

interface Check {
  criterion: ParsedCriterion;
  check: CriterionCheck;
}

function checksOf(candidate: CheckedCandidate, criteria: readonly ParsedCriterion[]): Check[] {
  return criteria.map((criterion, index) => ({ criterion, check: candidate.checks[index]! }));
}

function missingOf(candidate: CheckedCandidate, criteria: readonly ParsedCriterion[]): Check[] {
  return checksOf(candidate, criteria).filter(({ check }) => !check.met || check.confidence < MET_FROM);
}

function listCandidate(
  context: RunContext,
  listId: string,
  candidate: CheckedCandidate,
  { criteria }: ListRequest,
): Promise<null> {
  return context.step(`candidate/2/${stepKeyOf(candidate.identityKey)}`, () => {
    const { name, sources, identityKey } = candidate;
    const cells = cellsOf(candidate, criteria);
    return Promise.resolve({
      result: null,
      commit: async (tx) => {
        const row = { tenantId: context.tenantId, listId, identityKey, name, cells, sources };
        const rowId = await addRow(tx, row);
        if (rowId === null) return [];
        return [
          { type: 'row.candidate', data: { name } },
          { type: 'row.matched', data: { row_id: rowId, name, cells } },
        ];
      },
    });
  });
}

/** Reports who meets some of the conditions and what is missing: once for each reason, however often the run continues. */
function emitNearMiss(context: RunContext, candidate: CheckedCandidate, request: ListRequest): Promise<null> {
  const missing = missingOf(candidate, request.criteria);
  const reason = missing.map(({ criterion, check }) => reasonOf(criterion, check)).join('; ');
  const failed = missing.map(({ criterion }) => criterion.criterion_id);
  const { name, identityKey } = candidate;
  const events: NewEvent[] = [
    { type: 'row.candidate', data: { name } },
    { type: 'row.rejected', data: { name, reason, criteria: failed } },
  ];
  return context.step(`nearly/2/${stepKeyOf(`${identityKey}\n${reason}`)}`, () =>
    Promise.resolve({ result: null, events }),
  );
}

interface SearchExtent {
  candidates: number;
  /** Whether a limit of the run ended the reading. */
  isCut: boolean;
}

function emitEmptyReason(
  context: RunContext,
  nearly: readonly CheckedCandidate[],
  request: ListRequest,
  looked: SearchExtent,
): Promise<null> {
  const note = whyEmpty(nearly, request, looked);
  return context.step(`empty/${continuationOf(context)}`, () =>
    Promise.resolve({
      result: null,
      events: [{ type: 'run.progress', data: { stage: 'checked', percent: 95, note } }],
    }),
  );
}

function whyEmpty(
  nearly: readonly CheckedCandidate[],
  { criteria }: ListRequest,
  { candidates, isCut }: SearchExtent,
): string {
  const asked = criteria.map(({ text }) => `“${text}”`).join(' and ');
  const cut = isCut ? ' A limit of the run ended the reading early.' : '';
  if (candidates === 0) return `Nothing that was read says ${asked} of anybody or anything.${cut}`;
  const nearest = nearly.slice(0, NAMED_MAX).map((candidate) => {
    const missing = missingOf(candidate, criteria).map(({ criterion, check }) => reasonOf(criterion, check));
    return `${candidate.name} (${missing.join('; ')})`;
  });
  return `None of ${candidates} candidates meets ${asked}. Nearest: ${nearest.join(', ')}.${cut}`;
}

function reasonOf({ text }: ParsedCriterion, { value, confidence }: CriterionCheck): string {
  if (confidence > 0) return `“${text}” is not sure: ${value}`;
  return value === '' ? `nothing says “${text}”` : `“${text}” is not met: ${value}`;
}

/**
 * One column per condition, named after its kind, and one for each that is asked for; further ones of the same name are
 * numbered.
 */
function cellsOf(candidate: CheckedCandidate, criteria: readonly ParsedCriterion[]): Record<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const { criterion, check } of checksOf(candidate, criteria)) {
    let column: string = criterion.kind;
    for (let number = 2; cells.has(column); number += 1) column = `${criterion.kind}_${number}`;
    cells.set(column, { value: check.value, confidence: check.confidence, evidence: check.evidence });
  }
  for (const { column, value, confidence, evidence } of candidate.columns)
    if (!cells.has(column)) cells.set(column, { value, confidence, evidence });
  // A column may have the name of a property that every object inherits.
  return Object.fromEntries(cells);
}
