import { sanitizeProse } from '@cairn/prose';
import { plainText } from '@cairn/language';
import type { Citation, ReportFinding } from './report-types.ts';

interface Dating {
  /** Says the time of its document although it gives no number. */
  dated?: boolean;
  /** Said beside the time. */
  note?: string;
}

/** Numbers the findings of a report in the order in which it cites them. */
export interface Citing {
  mark(finding: ReportFinding): string;
  /** The finding's quote as a sentence, with its mark. */
  sentence(finding: ReportFinding, more?: Dating): string;
  all(): Citation[];
}

export function createCitations(findings: readonly ReportFinding[]): Citing {
  const numbers = new Map<string, number>();
  const byId = new Map(findings.map((finding) => [finding.finding_id, finding]));
  const mark = ({ finding_id: id }: ReportFinding) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return `[${numbers.get(id)}]`;
  };
  return {
    mark,
    sentence: (finding, dating = {}) => `${quotedSentence(finding, dating)} ${mark(finding)}`,
    all: () =>
      [...numbers].map(([id, number]) => {
        const { finding_id, source_id, title, uri, quote, start_at } = byId.get(id)!;
        return { number, finding_id, source_id, title, uri, quote, start: start_at };
      }),
  };
}

/** A citation mark of a source, and code, in which a number in brackets is none. */
const OWN_MARK = /(?<code>`[^`]*`)|(?<!\s)\s*\[\d{1,6}\](?!\()/g;

/** A quote without Markdown and without its source's own citation marks, dated where its value may have aged. */
function quotedSentence({ quote, as_of: asOf, is_old: isOld }: ReportFinding, { dated, note }: Dating): string {
  const plain = sanitizeProse(plainText(quote.replace(OWN_MARK, '$<code>'))).trim();
  const isDated = asOf != null && (dated === true || isOld === true || /\d/.test(plain));
  const said = [...(isDated ? [`as of ${sanitizeProse(asOf)}`] : []), ...(note === undefined ? [] : [note])];
  const date = said.length === 0 ? '' : ` (${said.join(', ')})`;
  return `${withFullStop(plain, date)}`;
}

/** List items may lack a full stop. The date goes before it. */
export function withFullStop(text: string, date: string): string {
  const end = /[.!?…]["”’')\]]?$/.exec(text);
  if (end === null) return `${text.replace(/[;,:]$/, '')}${date}.`;
  return date === '' ? text : `${text.slice(0, end.index)}${date}${end[0]}`;
}

/** The list of sources, the only place of a report with addresses: each once, with all numbers that cite it. */
export function sourceLines(citations: readonly Citation[], findings: readonly ReportFinding[]): string[] {
  const dates = new Map(findings.flatMap(({ source_id, as_of: date }) => (date == null ? [] : [[source_id, date]])));
  return [...Map.groupBy(citations, ({ source_id }) => source_id).values()].map((cited) => {
    const { title, uri, source_id: id } = cited[0]!;
    const date = dates.get(id);
    const dated = date === undefined || title.includes(date) ? title : `${title} (${date})`;
    const name = sanitizeProse(dated)
      .replace(/[[\]<>]/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    const numbers = cited.map(({ number }) => `[${number}]`).join(' ');
    return `${numbers}: ${uri === null ? name : `${name} <${uri.replace(/[<>\s]/g, encodeURIComponent)}>`}`;
  });
}
