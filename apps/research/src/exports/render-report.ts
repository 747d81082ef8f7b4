import type { Citation } from '../analysis/report-types.ts';
import { readReport } from './report-document.ts';
import { reportHtml } from './report-html.ts';
import { type ReportFacts, reportJson } from './report-json.ts';

export interface RenderTask {
  format: 'html' | 'pdf' | 'json';
  markdown: string;
  citations: readonly Citation[];
  facts: ReportFacts;
}

/** A task of worker processes: a report in another format than the one it is stored in. */
export async function renderReport({ format, markdown, citations, facts }: RenderTask): Promise<string | Uint8Array> {
  const report = readReport(markdown, citations);
  if (format === 'html') return reportHtml(report, facts);
  if (format === 'json') return reportJson(report, facts);
  // Fonts and layout are loaded by processes that need them.
  const { reportPdf } = await import('./report-pdf.ts');
  return reportPdf(report, facts);
}
