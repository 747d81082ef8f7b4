import { judgeClaim, sanitizeProse } from '@cairn/prose';
import { z } from 'zod';
import { plainText } from '@cairn/text';
import { createCitations, sourceLines } from './citations.ts';
import { headingOf } from './heading.ts';
import { computedSentences, contradictionSection, supersededSection, titleLine, unansweredSection } from './report.ts';
import type { Report, ReportEvidence, ReportFinding, ReportRequest } from './report-types.ts';

/** A report as a model drafts it: every sentence names the findings it is based on, by number. */
export const DraftReport = z.object({
  sections: z
    .array(
      z.object({
        heading: z.string().min(1).max(200),
        sentences: z
          .array(z.object({ text: z.string().min(1).max(600), findings: z.array(z.number().int()).min(1).max(5) }))
          .max(40),
      }),
    )
    .min(1)
    .max(16),
});
export type DraftReport = z.output<typeof DraftReport>;

/** A checked draft, and how many of its sentences nothing supports. */
export type CheckedDraft = Report & { dropped: number };

/**
 * Builds a report from the sentences of a model's draft that the findings they cite support, under the
 * topics of these findings. The draft's own headings are dropped: they cite nothing, so nothing supports them. Returns
 * null when no sentence remains.
 */
export function reportFromDraft(
  request: ReportRequest,
  draft: DraftReport,
  findings: readonly ReportFinding[],
  { conflicts, computed, superseded }: ReportEvidence,
): CheckedDraft | null {
  const citing = createCitations(findings);
  const lines = new Map<string, string[]>();
  for (const topic of request.topics) {
    const sentences = computedSentences(topic, { computed, findings, citing });
    if (sentences.length > 0)
      lines.set(
        headingOf(topic, request.asked, []),
        sentences.map((text) => `- ${text}`),
      );
  }
  const said = new Set<string>();
  let dropped = 0;
  for (const { text, findings: named } of draft.sections.flatMap(({ sentences }) => sentences)) {
    const cited = named.flatMap((number) => findings[number - 1] ?? []);
    const sentence = sanitizeProse(plainText(text).replace(/(?<!\s)\s*\[\d{1,6}\]/g, '')).trim();
    const known = cited.map(({ quote }) => quote);
    if (cited.length < named.length || sentence === '' || !judgeClaim(sentence, known).supported) {
      dropped += 1;
      continue;
    }
    if (said.has(sentence)) continue;
    said.add(sentence);
    const heading = headingOf(cited[0]!.topic, request.asked, cited);
    const line = `- ${/[.!?]$/.test(sentence) ? sentence : `${sentence}.`} ${cited.map(citing.mark).join(' ')}`;
    lines.set(heading, [...(lines.get(heading) ?? []), line]);
  }
  if (said.size === 0) return null;
  const sections = [
    titleLine(request.title),
    ...[...lines].map(([heading, below]) => `## ${heading}\n\n${below.join('\n')}\n`),
    ...contradictionSection(findings, conflicts, citing),
    ...supersededSection(findings, superseded, citing),
    ...unansweredSection(request, findings, computed),
  ];
  const citations = citing.all();
  sections.push(`## Sources\n\n${sourceLines(citations, findings).join('\n')}\n`);
  return { markdown: sections.join('\n'), sections, citations, dropped };
}
