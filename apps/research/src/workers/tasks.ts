import { fingerprintOf } from '../reading/fingerprint.ts';
import { asksForOwnDocumentsOnly } from '../request/own-documents.ts';
import type { PageContent } from '../reading/read-html.ts';
import { readRobots, type RobotsFile } from '../reading/robots.ts';
import { criteriaOf, type ParsedCriterion } from '../people/criteria.ts';
import { type CheckedCandidate, findCandidates } from '../people/find-candidates.ts';
import type { ProfileSource } from '../people/profile.ts';
import { noteFindings as notedFindings } from '../analysis/note-findings.ts';
import type { DatedSource } from '../analysis/notes.ts';
import { isVague as isVaguePrompt } from '../analysis/vague.ts';
import { writeReport as reportOf } from '../analysis/report.ts';
import type { Report, ReportFinding, ReportRequest } from '../analysis/report-types.ts';
import type { CheckedDraft, DraftReport } from '../analysis/report-draft.ts';
import {
  type Configured,
  webOptions as optionsOf,
  type WebOptions,
} from '../analysis/web-options.ts';
import { createRequestReader, type UnderstoodRequest } from '../request/understand-request.ts';
import { readingModel } from '../text/reading-model.ts';
import { plainText as plainTextOf } from '@cairn/text';
import type { FileTask, ScreenedFile } from '../reading/read-screened-file.ts';

// The tasks of research's worker processes: everything that parses text of callers, sites and files. The pool finds
// this module by its path and the functions by their names. Format parsers are loaded on first use.

export function webOptions(configured: Configured): WebOptions {
  return optionsOf(configured);
}

export function isForOwnDocumentsOnly(prompt: string): boolean {
  return asksForOwnDocumentsOnly(prompt);
}

export function isVague(prompt: string): boolean {
  return isVaguePrompt(prompt);
}

let requests: ReturnType<typeof createRequestReader> | null = null;

/** Takes a request apart: what is asked, how, and in which form. `answer` is what was said to a clarification. */
export function understandRequest({ prompt, answer }: { prompt: string; answer?: string }): UnderstoodRequest {
  requests ??= createRequestReader(readingModel());
  return requests.understand(prompt, answer);
}

export function parseCriteria({ prompt, kind }: { prompt: string; kind: 'people' | 'company' }): ParsedCriterion[] {
  return criteriaOf(prompt, kind);
}

export function checkCandidates(task: {
  sources: readonly ProfileSource[];
  criteria: readonly ParsedCriterion[];
  kind: 'people' | 'company';
}): CheckedCandidate[] {
  return findCandidates(task.sources, task.criteria, task.kind);
}

/** What the sources say on the questions of a request, and what they disagree about. */
export function noteFindings(task: {
  request: UnderstoodRequest;
  sources: readonly DatedSource[];
}): ReturnType<typeof notedFindings> {
  return notedFindings(task.request, task.sources);
}

/** Statements without Markdown. */
export function plainTexts(statements: readonly string[]): string[] {
  return statements.map(plainTextOf);
}

export function writeReport(task: {
  request: ReportRequest;
  findings: readonly ReportFinding[];
  conflicts: readonly { finding_ids: readonly string[] }[];
}): Report {
  return reportOf(task.request, task.findings, task.conflicts);
}

export async function checkDraft(task: {
  request: ReportRequest;
  draft: DraftReport;
  findings: readonly ReportFinding[];
  conflicts: readonly { finding_ids: readonly string[] }[];
}): Promise<CheckedDraft | null> {
  const { reportFromDraft } = await import('../analysis/report-draft.ts');
  return reportFromDraft(task.request, task.draft, task.findings, task.conflicts);
}

/** The rules of a site's robots.txt for one URL. */
export function applyRobots(task: { file: RobotsFile; origin: string; url: string }): {
  allowed: boolean;
  crawlDelaySeconds: number;
} {
  const robots = readRobots(task.file, task.origin);
  return { allowed: robots.allows(task.url), crawlDelaySeconds: robots.crawlDelaySeconds };
}

export type ReadPage = PageContent & { fingerprint: number[] };

/** The content of a page and its fingerprint; null for a page that cannot be read. */
export async function readPage({ html, url }: { html: string; url: string }): Promise<ReadPage | null> {
  const { readHtml } = await import('../reading/read-html.ts');
  try {
    const content = readHtml(html, url);
    return { ...content, fingerprint: fingerprintOf(content.text) };
  } catch {
    return null;
  }
}

export function fingerprint(text: string): number[] {
  return fingerprintOf(text);
}

export async function readFile(question: FileTask): Promise<ScreenedFile> {
  const { readScreenedFile } = await import('../reading/read-screened-file.ts');
  return readScreenedFile(question);
}
