import type { ReportDocument } from './report-document.ts';

/** What is known of a report beside its text. */
export interface ReportFacts {
  thread_id: string;
  prompt: string;
  /** True when a model wrote it. */
  generated: boolean;
  assumptions: readonly string[];
  created_at: string;
  finished_at: string | null;
}

/** How a report came to be, for its readers. */
export function originOf({ generated }: ReportFacts): string {
  return generated ? 'Written by a model from the quotes below.' : 'Composed of quotes of the sources below.';
}

/** The report for programs: its statements, each with what it cites, and where each quote stands in its source. */
export function reportJson({ title, sections, citations }: ReportDocument, facts: ReportFacts): string {
  const placed = citations.map(({ start, ...citation }) => ({
    ...citation,
    start,
    end: start + citation.quote.length,
  }));
  return JSON.stringify({ ...facts, title, sections, citations: placed });
}
