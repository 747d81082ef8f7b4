import { sanitizeProse } from '@cairn/prose';
import { z } from 'zod';
import { plainText } from '@cairn/language';
import { createCitations, withFullStop } from './citations.ts';
import { headingOf } from './heading.ts';
import {
  computedSentences,
  contradictionSection,
  sourcesSection,
  supersededSection,
  titleLine,
  unansweredSection,
} from './report.ts';
import type { Report, ReportEvidence, ReportFinding, ReportRequest } from './report-types.ts';
import { supportedSentences } from './supported-sentences.ts';
import { yearsIn } from './document-date.ts';

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

/** Quotes on a question that the draft says nothing on, as one that was cut off may. */
const LEFT_OUT_MAX = 8;

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
  // Several topics may share a heading.
  const add = (heading: string, more: readonly string[]) =>
    lines.set(heading, [...(lines.get(heading) ?? []), ...more.map((text) => `- ${text}`)]);
  const covered = new Set<string>();
  for (const topic of request.topics) {
    const sentences = computedSentences(topic, { computed, findings, citing });
    if (sentences.length === 0) continue;
    add(headingOf(topic, request.asked, []), sentences);
    covered.add(topic);
  }
  const said = new Set<string>();
  let dropped = 0;
  for (const { text: written, findings: named } of draft.sections.flatMap(({ sentences }) => sentences)) {
    const cited = named.flatMap((number) => findings[number - 1] ?? []);
    const text = sanitizeProse(plainText(written).replace(/(?<!\s)\s*\[\d{1,6}\]/g, '')).trim();
    if (cited.length < named.length || text === '') {
      dropped += 1;
      continue;
    }
    const checked = supportedSentences(
      text,
      cited.map(({ quote }) => quote),
    );
    dropped += checked.dropped;
    if (checked.kept === '' || said.has(checked.kept)) continue;
    said.add(checked.kept);
    const { topic } = cited[0]!;
    covered.add(topic);
    add(headingOf(topic, request.asked, cited), [`${dated(checked.kept, cited)} ${cited.map(citing.mark).join(' ')}`]);
  }
  if (said.size === 0) return null;
  const disputed = new Set(conflicts.flatMap(({ finding_ids }) => finding_ids));
  for (const topic of request.topics) {
    const own = findings.filter(
      (finding) =>
        finding.topic === topic &&
        // What answers nothing is there to be cited by a computed answer or as replaced.
        finding.answers?.length !== 0 &&
        finding.is_old !== true &&
        !disputed.has(finding.finding_id),
    );
    if (own.length === 0 || covered.has(topic)) continue;
    const strongest = own.toSorted((a, b) => b.score - a.score).slice(0, LEFT_OUT_MAX);
    add(
      headingOf(topic, request.asked, own),
      strongest.map((finding) => citing.sentence(finding)),
    );
  }
  const sections = [
    titleLine(request.title),
    ...[...lines].map(([heading, below]) => `## ${heading}\n\n${below.join('\n')}\n`),
    ...contradictionSection(findings, conflicts, citing),
    ...supersededSection(findings, superseded, citing),
    ...unansweredSection(request, findings, computed),
  ];
  const citations = citing.all();
  sections.push(sourcesSection(request, citations, { findings, conflicts }));
  return { markdown: sections.join('\n'), sections, citations, dropped };
}

/** What a newer source says otherwise must not be read as current. */
function dated(text: string, cited: readonly ReportFinding[]): string {
  if (!cited.every(({ is_old: isOld }) => isOld === true) || yearsIn(text).length > 0) return withFullStop(text, '');
  const asOf = cited.flatMap(({ as_of: time }) => time ?? [])[0];
  return withFullStop(text, asOf === undefined ? ' (superseded)' : ` (as of ${sanitizeProse(asOf)})`);
}
