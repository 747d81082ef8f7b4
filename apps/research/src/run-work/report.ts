import { sanitizeProse } from '@cairn/prose';
import { plainText } from '../text/statements.ts';
import { headingOf } from './heading.ts';
import { isSupported } from './supported-words.ts';

/** Where a sentence of a report is from. */
export interface Citation {
  number: number;
  finding_id: string;
  source_id: string;
  title: string;
  uri: string | null;
  quote: string;
  /** Where the quote begins in the source's text, in UTF-16 units. */
  start: number;
}

export interface ReportFinding {
  finding_id: string;
  source_id: string;
  title: string;
  uri: string | null;
  quote: string;
  start_at: number;
  topic: string;
  score: number;
}

export interface Report {
  markdown: string;
  /** The report piece by piece, as it is told while it is written. */
  sections: string[];
  citations: Citation[];
}

/** What a report is about. */
export interface ReportRequest {
  title: string;
  /** Everything that was asked, in the caller's words, and the headings of sources that became topics. */
  asked: string;
  topics: readonly string[];
}

const STATEMENTS_PER_SECTION_MAX = 8;

/**
 * Writes a report of nothing but findings: each statement is a quote without its marks, followed by the number of its
 * citation. Statements that contradict each other stand side by side in a section of their own.
 */
export function writeReport(
  { title, asked, topics }: ReportRequest,
  findings: readonly ReportFinding[],
  conflicts: readonly { finding_ids: readonly string[] }[],
): Report {
  const citing = createCitations(findings);
  const sections = [titleLine(title)];
  const told = new Map<string, string[]>();
  for (const topic of topics) {
    const found = findings
      .filter((finding) => finding.topic === topic)
      .sort((a, b) => b.score - a.score)
      .slice(0, STATEMENTS_PER_SECTION_MAX);
    if (found.length === 0) continue;
    const heading = headingOf(topic, asked, found);
    const lines = found.map((finding) => `- ${citing.sentence(finding)}`);
    told.set(heading, [...(told.get(heading) ?? []), ...lines]);
  }
  for (const [heading, lines] of told) sections.push(`## ${heading}\n\n${lines.join('\n')}\n`);
  const disputed = conflicts.flatMap(({ finding_ids }) => {
    const sides = finding_ids.flatMap((id) => findings.find((finding) => finding.finding_id === id) ?? []);
    return sides.length < 2 ? [] : [sides.map((side) => `- ${citing.sentence(side)}`).join('\n')];
  });
  if (disputed.length > 0) sections.push(`## Contradictions between the sources\n\n${disputed.join('\n\n')}\n`);
  const unanswered = topics
    .filter((topic) => !findings.some((finding) => finding.topic === topic) && isSupported(topic, [asked]))
    .map((topic) => sanitizeProse(topic));
  if (unanswered.length > 0)
    sections.push(`## Without an answer in the sources\n\n${unanswered.map((topic) => `> ${topic}`).join('\n>\n')}\n`);
  const citations = citing.all();
  if (citations.length > 0) sections.push(`## Sources\n\n${citations.map(sourceLine).join('\n')}\n`);
  return { markdown: sections.join('\n'), sections, citations };
}

function createCitations(findings: readonly ReportFinding[]) {
  const numbers = new Map<string, number>();
  const numberOf = (findingId: string) => {
    if (!numbers.has(findingId)) numbers.set(findingId, numbers.size + 1);
    return numbers.get(findingId)!;
  };
  return {
    sentence: (finding: ReportFinding) =>
      `${closed(sanitizeProse(withoutMarks(plainText(finding.quote))).trim())} [${numberOf(finding.finding_id)}]`,
    numberOf,
    all: (): Citation[] =>
      [...numbers].map(([id, number]) => {
        const { finding_id, source_id, title, uri, quote, start_at } = findings.find((f) => f.finding_id === id)!;
        return { number, finding_id, source_id, title, uri, quote, start: start_at };
      }),
  };
}

/** A source's own citation marks are none of the report's. */
function withoutMarks(text: string): string {
  return text.replace(/(?<!\s)\s*\[\d{1,6}\]/g, '');
}

/** A statement that was an item of a list has no end of its own. */
function closed(text: string): string {
  return /[.!?…]["”’')\]]?$/.test(text) ? text : `${text.replace(/[;,:]$/, '')}.`;
}

/** The first line of a report. */
export function titleLine(title: string): string {
  return `# ${sanitizeProse(title).trim()}\n`;
}

/** The one place of a report with addresses: those that were read, as the citations have them. */
function sourceLine({ number, title, uri }: Citation): string {
  const name = sanitizeProse(title)
    .replace(/[[\]<>]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `[${number}]: ${uri === null ? name : `${name} <${uri.replace(/[<>\s]/g, encodeURIComponent)}>`}`;
}
