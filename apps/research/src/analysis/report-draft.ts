import { sanitizeProse } from '@cairn/prose';
import { z } from 'zod';
import { plainText } from '@cairn/text';
import { headingOf } from './heading.ts';
import { titleLine } from './report.ts';
import type { Citation, Report, ReportFinding, ReportRequest } from './report-types.ts';
import { isSupported } from './supported-words.ts';

/** A report as a model drafts it: every sentence names the findings it is based on, by number. */
export const DraftReport = z.object({
  sections: z
    .array(
      z.object({
        heading: z.string().min(1).max(200),
        sentences: z
          .array(z.object({ text: z.string().min(1).max(600), findings: z.array(z.number().int()).min(1).max(5) }))
          .max(20),
      }),
    )
    .min(1)
    .max(12),
});
export type DraftReport = z.output<typeof DraftReport>;

/**
 * Builds a report from the sentences of a model's draft whose words are supported by the findings they cite, under the
 * topics of these findings. The draft's own headings are dropped: they cite nothing, so nothing supports them. Returns
 * null when no sentence remains.
 */
export function reportFromDraft(
  { title, asked }: Pick<ReportRequest, 'title' | 'asked'>,
  draft: DraftReport,
  findings: readonly ReportFinding[],
): Report | null {
  const numbers = new Map<string, number>();
  const cite = (finding: ReportFinding) => {
    if (!numbers.has(finding.finding_id)) numbers.set(finding.finding_id, numbers.size + 1);
    return `[${numbers.get(finding.finding_id)}]`;
  };
  const lines = new Map<string, string[]>();
  for (const { sentences } of draft.sections) {
    for (const { text, findings: named } of sentences) {
      const cited = named.map((number) => findings[number - 1]);
      if (cited.some((finding) => finding === undefined)) continue;
      const real = cited as ReportFinding[];
      const sentence = sanitizeProse(plainText(text).replace(/(?<!\s)\s*\[\d{1,6}\]/g, '')).trim();
      if (
        !isSupported(
          sentence,
          real.map(({ quote }) => quote),
        )
      )
        continue;
      const heading = headingOf(real[0]!.topic, asked, real);
      const line = `- ${/[.!?]$/.test(sentence) ? sentence : `${sentence}.`} ${real.map(cite).join(' ')}`;
      lines.set(heading, [...(lines.get(heading) ?? []), line]);
    }
  }
  if (lines.size === 0) return null;
  const byId = new Map(findings.map((finding) => [finding.finding_id, finding]));
  const citations = [...numbers].map(([id, number]): Citation => {
    const { finding_id, source_id, title: of, uri, quote, start_at } = byId.get(id)!;
    return { number, finding_id, source_id, title: of, uri, quote, start: start_at };
  });
  const sections = [...lines].map(([heading, below]) => `## ${heading}\n\n${below.join('\n')}\n`);
  const all = [titleLine(title), ...sections];
  return { markdown: all.join('\n'), sections: all, citations };
}
