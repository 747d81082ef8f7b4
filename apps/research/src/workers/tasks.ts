import type { RenderTask } from '../exports/render-report.ts';
import { fingerprintOf } from '../reading/fingerprint.ts';
import { sourceScopeOf, type SourceScope } from '../request/source-phrases.ts';
import type { PageContent } from '../reading/read-html.ts';
import { readRobots, type RobotsFile } from '../reading/robots.ts';
import type { ListRequest } from '../entities/criteria.ts';
import type { batchForModel as batched } from '../entities/batch-for-model.ts';
import type { CheckedEntries, ModelEntries, ModelField } from '../entities/model-entries.ts';
import type { CheckedCandidate } from '../entities/find-candidates.ts';
import type { EntityKind } from '../entities/nouns.ts';
import type { Profile, ProfileSource } from '../entities/profile.ts';
import { noteFindings as notedFindings } from '../analysis/note-findings.ts';
import type { DatedSource } from '../analysis/notes.ts';
import { answersOfTables as tableAnswersOf, type TableAnswer } from '../analysis/table-answers.ts';
import { writeReport as reportOf } from '../analysis/report.ts';
import type { Report, ReportEvidence, ReportFinding, ReportRequest } from '../analysis/report-types.ts';
import type { CheckedDraft, DraftReport } from '../analysis/report-draft.ts';
import { type ConfiguredRequest, webOptions as optionsOf, type WebOptions } from '../analysis/web-options.ts';
import {
  choicesTaken as choicesTakenBy,
  isTopic as isTopicAlone,
  matchingDocuments as findMatchingDocuments,
  type MatchingDocuments,
} from '../request/matching-documents.ts';
import type { CompletedPrompt } from '../request/completed-prompt.ts';
import type { MissingContext } from '../request/missing-context.ts';
import { createRequestReader, type ParsedRequest } from '../request/parse-request.ts';
import { readingModel } from '../text/reading-model.ts';
import { storable } from '../text/storable.ts';
import { plainText as plainTextOf } from '@cairn/language';
import type { FeedTask } from '../records/read-feed.ts';
import type { RankedLink, RecordPage, RecordPageTask } from '../records/read-record-page.ts';
import type { SitemapContent, SitemapTask } from '../records/read-sitemap.ts';
import { rowQueryOf, type RowQuery } from '../records/row-query.ts';
import type { FileTask, ScreenedFile } from '../reading/read-screened-file.ts';

// The tasks of research's worker processes: everything that parses text of callers, sites and files. The pool finds
// this module by its path and the functions by their names. Format parsers are loaded on first use.

export function webOptions(configured: ConfiguredRequest): WebOptions {
  return optionsOf(configured);
}

/** Where a request wants to be looked up; `named` says that it names sites or kinds of sources. */
export function readSourceScope({ prompt, named }: { prompt: string; named: boolean }): SourceScope {
  return sourceScopeOf(prompt, { named });
}

/** What a prompt leaves unsaid; null for one that can be worked on as it is. */
export function missingContextOf(prompt: string): MissingContext | null {
  return requestReader().unsaid(prompt);
}

/** The prompt with what was unsaid. */
export function completePrompt(task: { prompt: string; unsaid: MissingContext; answer: string }): CompletedPrompt {
  return requestReader().complete(task.prompt, task.unsaid, task.answer);
}

/** Whether a prompt only names a topic, so that several documents may be meant. */
export function isTopic(prompt: string): boolean {
  return isTopicAlone(prompt);
}

/** The documents that a prompt may be about, by the titles of those that were found for it. */
export function matchingDocuments(task: { prompt: string; titles: readonly string[] }): MatchingDocuments | null {
  return findMatchingDocuments(task.prompt, task.titles);
}

/** The choices of a question that an answer takes. */
export function choicesTaken(task: { answer: string; choices: readonly string[] }): string[] {
  return choicesTakenBy(task.answer, task.choices);
}

let requests: ReturnType<typeof createRequestReader> | null = null;

function requestReader(): ReturnType<typeof createRequestReader> {
  requests ??= createRequestReader(readingModel());
  return requests;
}

/** Loads what every run needs, before there is one. */
export function loadModel(): void {
  requestReader();
}

/** Takes a request apart: what is asked, how, and in which form. `answer` is what was said to a clarification. */
export function parsePrompt({ prompt, answer }: { prompt: string; answer?: string }): ParsedRequest {
  return requestReader().understand(prompt, answer);
}

/** A request with the questions that a model has planned; those that only say how to answer are left out. */
export async function addPlan({
  request,
  planned,
}: {
  request: ParsedRequest;
  planned: readonly string[];
}): Promise<ParsedRequest> {
  const { withPlanned } = await import('../analysis/with-planned.ts');
  const asking = planned.filter((text) => parsePrompt({ prompt: text }).questions.length > 0);
  return { ...request, questions: withPlanned(request.questions, asking) };
}

/** The conditions and columns of a list's prompt, and what to search a memory for. */
export async function readListRequest(task: {
  prompt: string;
  kind: EntityKind;
}): Promise<{ request: ListRequest; queries: string[] }> {
  const { readListRequest: read } = await import('../entities/criteria.ts');
  const { listQueries } = await import('../entities/list-queries.ts');
  const request = read(task.prompt, task.kind);
  return { request, queries: listQueries(task.prompt, request, task.kind) };
}

/** What sources say about everybody, or every organisation, in them. */
export async function readProfiles(task: {
  sources: readonly ProfileSource[];
  kind: EntityKind;
  everybody: boolean;
}): Promise<Profile[]> {
  const { profilesOf } = await import('../entities/find-candidates.ts');
  return profilesOf(task.sources, task).filter(({ kind }) => (kind ?? task.kind) === task.kind);
}

/** What a model is to read for a list, call by call. */
export async function batchForModel(task: Parameters<typeof batched>[0]): Promise<ReturnType<typeof batched>> {
  const { batchForModel: batch } = await import('../entities/batch-for-model.ts');
  return batch(task);
}

/** What a model read for a list, as far as the sources say it. */
export async function checkModelEntries(task: {
  entries: ModelEntries;
  sources: readonly ProfileSource[];
  fields: readonly ModelField[];
}): Promise<CheckedEntries> {
  const { checkEntries } = await import('../entities/model-entries.ts');
  return checkEntries(task.entries, task.sources, task.fields);
}

export async function checkCandidates(task: {
  profiles: readonly Profile[];
  request: ListRequest;
  kind: EntityKind;
}): Promise<CheckedCandidate[]> {
  const { findCandidates } = await import('../entities/find-candidates.ts');
  return findCandidates(task.profiles, task.request, task.kind);
}

/** What the sources say on the questions of a request, and what they disagree about. */
export function noteFindings(task: {
  request: ParsedRequest;
  sources: readonly DatedSource[];
}): ReturnType<typeof notedFindings> {
  return notedFindings(task.request, task.sources);
}

/** What the tables of the sources say to the questions of a request. */
export function answersOfTables(task: {
  asked: Parameters<typeof tableAnswersOf>[0];
  sources: Parameters<typeof tableAnswersOf>[1];
}): TableAnswer[] {
  return tableAnswersOf(task.asked, task.sources);
}

/** Statements without Markdown. */
export function plainTexts(statements: readonly string[]): string[] {
  return statements.map(plainTextOf);
}

export function writeReport(
  task: { request: ReportRequest; findings: readonly ReportFinding[] } & ReportEvidence,
): Report {
  return reportOf(task.request, task.findings, task);
}

export async function checkDraft(
  task: {
    request: ReportRequest;
    draft: DraftReport;
    findings: readonly ReportFinding[];
  } & ReportEvidence,
): Promise<CheckedDraft | null> {
  const { reportFromDraft } = await import('../analysis/report-draft.ts');
  return reportFromDraft(task.request, task.draft, task.findings, task);
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
    return storable({ ...content, fingerprint: fingerprintOf(content.text, url) });
  } catch {
    return null;
  }
}

/** The content of a page and the records on it; null for a page that cannot be read. */
export async function readRecordPage(task: RecordPageTask): Promise<RecordPage | null> {
  const { readRecordPage: read } = await import('../records/read-record-page.ts');
  try {
    return storable(read(task));
  } catch {
    return null;
  }
}

export function parseRowQuery(prompt: string): RowQuery | null {
  return rowQueryOf(prompt);
}

/** The promising pages of a sitemap, and the sitemaps that it names. */
export async function readSitemap(task: SitemapTask): Promise<SitemapContent> {
  const { sitemapContent } = await import('../records/read-sitemap.ts');
  return sitemapContent(task);
}

/** The pages of a feed's entries. */
export async function readFeed(task: FeedTask): Promise<RankedLink[]> {
  const { feedPages } = await import('../records/read-feed.ts');
  return feedPages(task);
}

export function fingerprint(text: string): number[] {
  return fingerprintOf(text);
}

/** A report as HTML, PDF or JSON. */
export async function renderReport(task: RenderTask): Promise<string | Uint8Array> {
  const { renderReport: render } = await import('../exports/render-report.ts');
  return render(task);
}

export async function readFile(question: FileTask): Promise<ScreenedFile> {
  const { readScreenedFile } = await import('../reading/read-screened-file.ts');
  return readScreenedFile(question);
}
