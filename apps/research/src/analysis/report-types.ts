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
  topic: string;
  score: number;
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
  /** The caller's own words, and the headings of sources that became topics. */
  asked: string;
  topics: readonly string[];
}
