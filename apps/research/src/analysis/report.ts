import { sanitizeProse } from '@cairn/prose';
import { plainText } from '@cairn/text';
import { headingOf } from './heading.ts';
import type { Citation, Report, ReportFinding, ReportRequest } from './report-types.ts';
import { isSupported } from './supported-words.ts';

const STATEMENTS_PER_SECTION_MAX = 8;

/**
 * Writes a report from findings only: each statement is a quote without Markdown, followed by the number of its
 * citation. Contradicting statements are listed together in a section of their own.
 */
export function writeReport(
  { title, asked, topics }: ReportRequest,
  findings: readonly ReportFinding[],
  conflicts: readonly { finding_ids: readonly string[] }[],
): Report {
  const citing = createCitations(findings);
  const sections = [titleLine(title)];
  const linesByHeading = new Map<string, string[]>();
  for (const topic of topics) {
    const found = findings
      .filter((finding) => finding.topic === topic)
      .sort((a, b) => b.score - a.score)
      .slice(0, STATEMENTS_PER_SECTION_MAX);
    if (found.length === 0) continue;
    const heading = headingOf(topic, asked, found);
    const lines = found.map((finding) => `- ${citing.sentence(finding)}`);
    linesByHeading.set(heading, [...(linesByHeading.get(heading) ?? []), ...lines]);
  }
  for (const [heading, lines] of linesByHeading) sections.push(`## ${heading}\n\n${lines.join('\n')}\n`);
  const contradictions = conflicts.flatMap(({ finding_ids }) => {
    const sides = finding_ids.flatMap((id) => findings.find((finding) => finding.finding_id === id) ?? []);
    return sides.length < 2 ? [] : [sides.map((side) => `- ${citing.sentence(side)}`).join('\n')];
  });
  if (contradictions.length > 0)
    sections.push(`## Contradictions between the sources\n\n${contradictions.join('\n\n')}\n`);
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
      `${withFullStop(sanitizeProse(withoutCitationMarks(plainText(finding.quote))).trim())} [${numberOf(finding.finding_id)}]`,
    numberOf,
    all: (): Citation[] =>
      [...numbers].map(([id, number]) => {
        const { finding_id, source_id, title, uri, quote, start_at } = findings.find((f) => f.finding_id === id)!;
        return { number, finding_id, source_id, title, uri, quote, start: start_at };
      }),
  };
}

/** Removes the source's own citation marks. */
function withoutCitationMarks(text: string): string {
  return text.replace(/(?<!\s)\s*\[\d{1,6}\]/g, '');
}

/** List items may lack a full stop. */
function withFullStop(text: string): string {
  return /[.!?…]["”’')\]]?$/.test(text) ? text : `${text.replace(/[;,:]$/, '')}.`;
}

/** The first line of a report. */
export function titleLine(title: string): string {
  return `# ${sanitizeProse(title).trim()}\n`;
}

/** An entry of the list of sources, the only place of a report with addresses: those that were actually read. */
function sourceLine({ number, title, uri }: Citation): string {
  const name = sanitizeProse(title)
    .replace(/[[\]<>]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `[${number}]: ${uri === null ? name : `${name} <${uri.replace(/[<>\s]/g, encodeURIComponent)}>`}`;
}
