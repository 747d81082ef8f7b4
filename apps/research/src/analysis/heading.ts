import { sanitizeProse } from '@cairn/prose';
import { plainText } from '@cairn/language';
import type { ReportFinding } from './report-types.ts';
import { isSupported } from './supported-words.ts';

/** Heading for findings whose topic contains words that were neither asked nor found. */
const FURTHER = 'Further findings';

/**
 * The heading of a group of findings: their topic, if each of its words occurs in the question or the findings. A topic
 * may be a model's wording, and headings have no citation that could support words of their own.
 */
export function headingOf(topic: string, asked: string, findings: readonly ReportFinding[]): string {
  const heading = sanitizeProse(plainText(topic)).trim();
  const known = [asked, ...findings.flatMap(({ quote, title }) => [quote, title])];
  return heading !== '' && isSupported(heading, known) ? heading : FURTHER;
}
