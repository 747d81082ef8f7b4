import { newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import type { NotedFinding } from '../analysis/note-findings.ts';
import type { NewEvent } from '../ledger/run.ts';
import type { RunContext } from '../ledger/run-context.ts';
import type { ParsedRequest } from '../request/parse-request.ts';
import { findingIds, clearAnswers, type NewFinding, placeOf, storeFindings } from '../sources/finding-store.ts';
import { readSources } from '../sources/source-store.ts';
import { analyseSources } from './analyse.ts';
import { computeAnswers, storeAnswersOfTables } from './compute-answers.ts';
import { withoutRecordedEvents } from './without-recorded-events.ts';
import type { WorkDeps } from './work-deps.ts';

const DISAGREEMENTS_MAX = 30;

/** What a round of notes leaves open. */
interface NotedRound {
  /** Places of the questions that nothing answers yet. */
  open: number[];
  /** The strongest quotes with a value, which other sources may say otherwise. */
  contestable: string[];
}

/**
 * Notes what all sources of the run say on its questions, in place of what an earlier round noted. The last round
 * reports what the sources disagree about, too.
 */
export function noteFindings(
  deps: WorkDeps,
  context: RunContext,
  request: ParsedRequest,
  { round, isLast }: { round: string; isLast: boolean },
): Promise<NotedRound> {
  return context.step(`note/${round}`, async () => {
    const sources = await deps.database.withTenant(context.tenantId, (tx) =>
      readSources(tx, context.runId, { kinds: ['memory', 'web', 'upload'] }),
    );
    const { result, skipped } = await analyseSources(deps, context, 'noteFindings', sources, (some) => ({
      request,
      sources: some.map(({ source_id, title, body, occurred_at }) => ({
        source_id,
        title,
        body,
        occurred_at: occurred_at === null ? null : new Date(occurred_at).toISOString(),
      })),
    }));
    const findings = result.findings.map((finding) => storedAs(finding, request));
    const questions = request.questions.map(({ text }) => text);
    const computed = isLast ? await computeAnswers(deps, context, questions, sources) : [];
    return {
      result: { open: openQuestions(request, result.findings), contestable: contestableAmong(result.findings) },
      commit: async (tx) => {
        await clearAnswers(tx, context.runId);
        const events = [
          ...(await withoutRecordedEvents(tx, context.runId, skipped)),
          ...(await storeFindings(tx, context, findings)),
        ];
        if (!isLast) return events;
        const known = await findingIds(tx, context.runId);
        const noted = result.findings.map((finding) => ({ ...finding, finding_id: known.get(placeOf(finding))! }));
        events.push(...(await storeAnswersOfTables(tx, context, computed, { questions, known })));
        await storeSuccessions(tx, context, result.superseded, noted);
        const disagreements = result.disagreements.slice(0, DISAGREEMENTS_MAX);
        return [...events, ...(await storeDisagreements(tx, context, disagreements, noted))];
      },
    };
  });
}

function storedAs({ questions, ...finding }: NotedFinding, request: ParsedRequest): NewFinding {
  const answers = questions.map(({ at, score }) => ({ question: request.questions[at]!.text, score }));
  const best = answers[0] ?? { question: request.questions[0]?.text ?? '', score: 0 };
  return { ...finding, topic: best.question, score: best.score, answers };
}

function openQuestions({ questions }: ParsedRequest, findings: readonly NotedFinding[]): number[] {
  const answered = new Set(findings.flatMap((finding) => finding.questions.map(({ at }) => at)));
  return questions.flatMap((_, at) => (answered.has(at) ? [] : [at]));
}

const CONTESTABLE_MAX = 12;

function contestableAmong(findings: readonly NotedFinding[]): string[] {
  return findings
    .filter(({ quote, questions }) => questions.length > 0 && /\p{N}|\b(?:not|no|never)\b/u.test(quote))
    .toSorted((a, b) => b.questions[0]!.score - a.questions[0]!.score)
    .slice(0, CONTESTABLE_MAX)
    .map(({ quote }) => quote.replace(/\s+/g, ' ').slice(0, 400));
}

type StoredNote = NotedFinding & { finding_id: string };

async function storeSuccessions(
  tx: Tx,
  { tenantId, runId }: RunContext,
  superseded: readonly [newer: number, older: number][],
  noted: readonly StoredNote[],
): Promise<void> {
  for (const [newer, older] of superseded)
    await tx.execute(
      `INSERT INTO successions (tenant_id, run_id, newer_id, older_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [tenantId, runId, noted[newer]!.finding_id, noted[older]!.finding_id],
    );
}

/** Both sides are findings, so that the report can cite them. */
async function storeDisagreements(
  tx: Tx,
  context: RunContext,
  disagreements: readonly { sides: [number, number]; subject: string }[],
  noted: readonly StoredNote[],
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const { sides, subject } of disagreements) {
    const statements = sides.map((place) => {
      const { finding_id, source_id, title, quote } = noted[place]!;
      return { finding_id, source_id, title, quote };
    });
    const conflictId = newId('conflict');
    await tx.execute(
      'INSERT INTO conflicts (tenant_id, run_id, conflict_id, subject, finding_ids) VALUES ($1, $2, $3, $4, $5)',
      [context.tenantId, context.runId, conflictId, subject, statements.map(({ finding_id }) => finding_id)],
    );
    events.push({ type: 'conflict.found', data: { conflict_id: conflictId, subject, statements } });
  }
  return events;
}
