import type { ParsedRequest } from '../request/parse-request.ts';
import type { ComputedAnswer } from '../sources/computed-answer-store.ts';

/** The source of a sentence of a report. */
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
  /** The question that it answers best. */
  topic: string;
  score: number;
  /** All questions that it helps to answer, best first; absent, the topic is the only one. */
  answers?: readonly { question: string; score: number }[];
  /** The time that its document is of; null when the quote says its own. */
  as_of?: string | null;
  /** A newer source says otherwise. */
  is_old?: boolean;
}

/** What a report is written from beside its findings. */
export interface ReportEvidence {
  /** Findings that cannot all hold. */
  conflicts: readonly { finding_ids: readonly string[] }[];
  /** What newer sources say, and what older ones said of the same. */
  superseded: readonly { newer_id: string; older_id: string }[];
  /** What tables say, and the findings that are the rows that show it. */
  computed: readonly ComputedAnswer[];
  /** Titles of all that was read, in an order that is theirs; absent, a report does not tell. */
  read?: readonly string[];
}

export interface Report {
  markdown: string;
  /** The report section by section, as it is streamed. */
  sections: string[];
  citations: Citation[];
}

/** The subject of a report. */
export interface ReportRequest {
  title: string;
  /** The caller's own words. */
  asked: string;
  topics: readonly string[];
  instructions?: Pick<ParsedRequest['instructions'], 'length'>;
  format?: ParsedRequest['format'];
}
