import { sanitizeProse } from '@cairn/prose';
import { plainText } from '../text/statements.ts';
import type { ReportFinding } from './report.ts';
import { isSupported } from './supported-words.ts';

/** Above findings whose topic says more than what was asked and what was found. */
const FURTHER = 'Further findings';

/**
 * The heading above findings: their topic, if every word of it was asked or found. A topic may be a model's wording of
 * the question, and a heading has no citation that could carry words of its own.
 */
export function headingOf(topic: string, asked: string, findings: readonly ReportFinding[]): string {
  const heading = sanitizeProse(plainText(topic)).trim();
  const known = [asked, ...findings.flatMap(({ quote, title }) => [quote, title])];
  return heading !== '' && isSupported(heading, known) ? heading : FURTHER;
}
