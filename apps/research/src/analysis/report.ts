import { cutText } from '@cairn/language';
import { sanitizeProse } from '@cairn/prose';
import { type Citing, createCitations, sourceLines } from './citations.ts';
import { confidenceLines } from './confidence-lines.ts';
import { headingOf } from './heading.ts';
import type { Citation, Report, ReportEvidence, ReportFinding, ReportRequest } from './report-types.ts';
import { isRow, tableLines, tablesAmong } from './row-tables.ts';
import { isSupported } from './supported-words.ts';

const STATEMENTS_PER_SECTION_MAX = 14;
const SHORT_SECTION = 3;
const SUMMARY_MAX = 6;
/** A report of fewer statements is its own summary. */
const SUMMARY_FROM = 5;
/** Titles that an empty report names. */
const TITLES_MAX = 5;
const TITLE_MAX_CHARS = 100;

/**
 * Writes a report from findings only: each statement is a quote without Markdown, followed by the number of its
 * citation. No statement comes twice: what the summary says is not said again below.
 */
export function writeReport(
  request: ReportRequest,
  findings: readonly ReportFinding[],
  { conflicts, computed, superseded, read }: ReportEvidence,
): Report {
  const { title, asked } = request;
  const citing = createCitations(findings);
  const isComputed = (topic: string) => computed.some(({ questions }) => questions.includes(topic));
  const sections = [titleLine(title)];
  // What the sources disagree about is said once, with both sides.
  const disputed = new Set(conflicts.flatMap(({ finding_ids }) => finding_ids));
  const found = byTopic(
    request,
    findings.filter(
      (finding) =>
        !disputed.has(finding.finding_id) &&
        // Single rows say less than what was computed over all of them.
        !(isRow(finding) && answersOf(finding).every(({ question }) => isComputed(question))),
    ),
  );
  const summarised = summaryOf(found);
  if (summarised.length > 0)
    sections.push(`## Summary\n\n${summarised.map((finding) => `- ${citing.sentence(finding)}`).join('\n')}\n`);
  const byHeading = new Map<string, { topics: string[]; below: ReportFinding[] }>();
  for (const topic of request.topics) {
    const all = found.get(topic) ?? [];
    if (all.length === 0 && !computed.some(({ questions }) => questions[0] === topic)) continue;
    const heading = headingOf(topic, asked, all);
    const known = byHeading.get(heading) ?? { topics: [], below: [] };
    const rest = all.filter((finding) => !summarised.includes(finding));
    byHeading.set(heading, { topics: [...known.topics, topic], below: [...known.below, ...rest] });
  }
  for (const [heading, { topics, below }] of byHeading) {
    const said = topics.flatMap((topic) => computedSentences(topic, { computed, findings, citing }));
    sections.push(`## ${heading}\n\n${[...said, ...bodyOf(request, below, citing)].join('\n\n')}\n`);
  }
  sections.push(...contradictionSection(findings, conflicts, citing));
  sections.push(...supersededSection(findings, superseded, citing));
  sections.push(...unansweredSection(request, findings, computed));
  // Whoever gets an empty report wants to know whether anything was there to be read.
  if (findings.length === 0 && read !== undefined) sections.push(readInVain(read));
  const citations = citing.all();
  if (citations.length > 0) sections.push(sourcesSection(request, citations, { findings, conflicts }));
  return { markdown: sections.join('\n'), sections, citations };
}

/** The sources, and what the report rests on. */
export function sourcesSection(
  request: ReportRequest,
  citations: readonly Citation[],
  { findings, conflicts }: { findings: readonly ReportFinding[]; conflicts: ReportEvidence['conflicts'] },
): string {
  const lines = [...sourceLines(citations, findings), ...confidenceLines(request, findings, conflicts)];
  return `## Sources\n\n${lines.join('\n')}\n`;
}

/** What tables say to a question, with the numbers of the rows that show it; under the first of several questions. */
export function computedSentences(
  topic: string,
  {
    computed,
    findings,
    citing,
  }: { computed: ReportEvidence['computed']; findings: readonly ReportFinding[]; citing: Citing },
): string[] {
  return computed
    .filter(({ questions }) => questions[0] === topic)
    .map(({ body, finding_ids: ids }) => {
      const rows = ids.flatMap((id) => findings.find(({ finding_id }) => finding_id === id) ?? []);
      return `${sanitizeProse(body.replace(/\[\d{1,6}\]/g, ''))} ${rows.map((row) => citing.mark(row)).join(' ')}`.trim();
    });
}

/** What no longer holds, with the time that it is of, so that whoever remembers it knows that it was replaced. */
export function supersededSection(
  findings: readonly ReportFinding[],
  superseded: ReportEvidence['superseded'],
  citing: Citing,
): string[] {
  const older = new Set(superseded.map(({ older_id }) => older_id));
  const lines = findings
    .filter(({ finding_id }) => older.has(finding_id))
    .map((finding) => `- ${citing.sentence(finding, { note: 'superseded' })}`);
  return lines.length === 0 ? [] : [`## Replaced by newer sources\n\n${lines.join('\n')}\n`];
}

/** All sides of each contradiction, word for word and dated. */
export function contradictionSection(
  findings: readonly ReportFinding[],
  conflicts: readonly { finding_ids: readonly string[] }[],
  citing: Citing,
): string[] {
  const groups: Set<string>[] = [];
  for (const { finding_ids: ids } of conflicts) {
    // A third source makes further pairs of what is one contradiction.
    const known = groups.find((group) => ids.some((id) => group.has(id)));
    if (known === undefined) groups.push(new Set(ids));
    else for (const id of ids) known.add(id);
  }
  const pairs = groups.flatMap((group) => {
    const sides = findings.filter(({ finding_id }) => group.has(finding_id));
    return sides.length < 2 ? [] : [sides.map((side) => `- ${citing.sentence(side, { dated: true })}`).join('\n')];
  });
  return pairs.length === 0 ? [] : [`## Contradictions between the sources\n\n${pairs.join('\n\n')}\n`];
}

/** What was asked and no source says. */
export function unansweredSection(
  { topics, asked }: ReportRequest,
  findings: readonly ReportFinding[],
  computed: ReportEvidence['computed'],
): string[] {
  const isAnswered = (topic: string) =>
    findings.some((finding) => answers(finding, topic)) || computed.some(({ questions }) => questions.includes(topic));
  const unanswered = topics
    .filter((topic) => !isAnswered(topic) && isSupported(topic, [asked]))
    .map((topic) => `> ${sanitizeProse(topic)}`);
  return unanswered.length === 0 ? [] : [`## Without an answer in the sources\n\n${unanswered.join('\n>\n')}\n`];
}

/** What was read where no question has an answer. */
function readInVain(titles: readonly string[]): string {
  if (titles.length === 0) return 'No source was found to read.\n';
  const listed = titles
    .slice(0, TITLES_MAX)
    .map((title) =>
      cutText(
        sanitizeProse(title)
          .replace(/[\s;<>[\]|]+/g, ' ')
          .trim(),
        TITLE_MAX_CHARS,
      )
        .trimEnd()
        .replace(/\.$/, ''),
    )
    .filter((title) => title !== '');
  if (titles.length > TITLES_MAX) listed.push(`and ${titles.length - TITLES_MAX} more`);
  const [were, theirs] = titles.length === 1 ? ['source was', 'its'] : ['sources were', 'theirs'];
  return `${titles.length} ${were} read, and no sentence of ${theirs} answers this: ${listed.join('; ')}.\n`;
}

function answersOf({ answers: all, topic, score }: ReportFinding): readonly { question: string; score: number }[] {
  return all ?? [{ question: topic, score }];
}

function answers(finding: ReportFinding, topic: string): boolean {
  return answersOf(finding).some(({ question }) => question === topic);
}

/** The findings of each topic. A finding that helps several goes where it helps most, unless another would have nothing. */
function byTopic(
  { topics, instructions }: ReportRequest,
  findings: readonly ReportFinding[],
): Map<string, ReportFinding[]> {
  const found = new Map<string, ReportFinding[]>(topics.map((topic) => [topic, []]));
  const said = new Set<string>();
  const scoreFor = (finding: ReportFinding, topic: string) =>
    answersOf(finding).find(({ question }) => question === topic)?.score ?? 0;
  for (const finding of findings) {
    const best = answersOf(finding).find(({ question }) => found.has(question))?.question;
    if (best === undefined || said.has(finding.quote)) continue;
    said.add(finding.quote);
    found.get(best)!.push(finding);
  }
  for (const topic of topics)
    if (found.get(topic)!.length === 0) found.set(topic, sharedWith(topic, findings, found, scoreFor));
  for (const [topic, list] of found) {
    if (list.length === 0) found.delete(topic);
    else found.set(topic, inReadingOrder(best(list, topic, { scoreFor, most: mostOf(instructions, topics.length) })));
  }
  return found;
}

/**
 * Findings for a topic that helps itself to those of others: they give away what helps them least more, but not their
 * last. When each has one only, the best is said twice, because a question that is answered has its section.
 */
function sharedWith(
  topic: string,
  findings: readonly ReportFinding[],
  found: Map<string, ReportFinding[]>,
  scoreFor: (finding: ReportFinding, topic: string) => number,
): ReportFinding[] {
  const homeOf = (finding: ReportFinding) => [...found].find(([, list]) => list.includes(finding));
  const shared = findings.flatMap((finding) => {
    const [home] = homeOf(finding) ?? [];
    const score = scoreFor(finding, topic);
    return home === undefined || score === 0 ? [] : [{ finding, score, gain: score - scoreFor(finding, home) }];
  });
  const moved: ReportFinding[] = [];
  for (const { finding } of shared.toSorted((a, b) => b.gain - a.gain || b.score - a.score)) {
    const [home, list] = homeOf(finding)!;
    if (moved.length === SHORT_SECTION || list.length === 1) continue;
    moved.push(finding);
    found.set(
      home,
      list.filter((other) => other !== finding),
    );
  }
  if (moved.length > 0) return moved;
  return shared
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 1)
    .map(({ finding }) => finding);
}

function best(
  list: readonly ReportFinding[],
  topic: string,
  { scoreFor, most }: { scoreFor: (finding: ReportFinding, topic: string) => number; most: number },
): ReportFinding[] {
  return list.toSorted((a, b) => scoreFor(b, topic) - scoreFor(a, topic)).slice(0, most);
}

/** How much of each topic the asker wants to read. */
function mostOf(instructions: ReportRequest['instructions'], topics: number): number {
  const length = instructions?.length ?? null;
  if (length === 'short') return SHORT_SECTION;
  if (length === null || length === 'long') return STATEMENTS_PER_SECTION_MAX;
  const perStatement = { words: 20, sentences: 1, points: 1, paragraphs: 1 / 4, pages: 1 / 15 }[length.unit];
  return Math.min(STATEMENTS_PER_SECTION_MAX, Math.max(1, Math.floor(length.most / perStatement / topics)));
}

/** Source by source, the best first, and within a source in its own order. */
function inReadingOrder(list: readonly ReportFinding[]): ReportFinding[] {
  return [...Map.groupBy(list, ({ source_id }) => source_id).values()].flatMap((group) =>
    group.toSorted((a, b) => a.start_at - b.start_at),
  );
}

/** The strongest statement of each topic that has more than it. */
function summaryOf(found: ReadonlyMap<string, readonly ReportFinding[]>): ReportFinding[] {
  const all = [...found.values()].flat();
  if (all.length < SUMMARY_FROM || found.size < 2) return [];
  return [...found.values()]
    .flatMap((list) => {
      const { rest } = tablesAmong(list);
      if (list.length < 2 || rest.length === 0) return [];
      return [rest.reduce((first, other) => (other.score > first.score ? other : first))];
    })
    .slice(0, SUMMARY_MAX);
}

function bodyOf({ format }: ReportRequest, findings: readonly ReportFinding[], citing: Citing): string[] {
  const { tables, rest } = tablesAmong(findings);
  const sentences = rest.map((finding) => citing.sentence(finding));
  const prose =
    format?.kind === 'prose' ? [sentences.join(' ')] : [sentences.map((sentence) => `- ${sentence}`).join('\n')];
  return [...prose.filter((text) => text !== ''), ...tables.map((rows) => tableLines(rows, citing))];
}

/** The first line of a report. */
export function titleLine(title: string): string {
  return `# ${sanitizeProse(title).trim()}\n`;
}
