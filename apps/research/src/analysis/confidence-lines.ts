import { headingOf } from './heading.ts';
import type { ReportEvidence, ReportFinding, ReportRequest } from './report-types.ts';
import { timeIn } from './document-date.ts';

/** A part of a report, and what it rests on. */
interface Part {
  findings: readonly ReportFinding[];
  /** Statements about the same that cannot all hold. */
  disputed: readonly ReportFinding[];
}

type Confidence = 'high' | 'medium' | 'low';

/** So many sources support a part well. */
const SOURCES_FOR_HIGH = 2;

/**
 * Says of each part how sure it is and why: high when at least two sources speak to it, low when they contradict each
 * other or only sources that newer ones replace speak to it, else medium; with the number of sources and the time of the
 * newest. It stands below the sources, as what the report says of itself and no source says; nothing where the request sets
 * the length.
 */
export function confidenceLines(
  { topics, asked, instructions }: ReportRequest,
  findings: readonly ReportFinding[],
  conflicts: ReportEvidence['conflicts'],
): string[] {
  if (instructions?.length != null && instructions.length !== 'long') return [];
  const disputed = new Set(conflicts.flatMap(({ finding_ids }) => finding_ids));
  const parts = new Map<string, Part>();
  for (const topic of topics) {
    const own = findings.filter((finding) => answersTo(finding).includes(topic));
    if (own.length === 0) continue;
    const heading = headingOf(topic, asked, own);
    const [contested, plain] = partition(own, ({ finding_id: id }) => disputed.has(id));
    const known = parts.get(heading) ?? { findings: [], disputed: [] };
    parts.set(heading, {
      findings: [...known.findings, ...plain],
      disputed: [...known.disputed, ...contested],
    });
  }
  const lines = [...parts].map(
    ([heading, part]) => `> ${heading}: ${confidenceOf(part)} confidence (${reasonOf(part)}).`,
  );
  return lines.length === 0 ? [] : ['', ...lines.flatMap((line, at) => (at === 0 ? [line] : ['>', line]))];
}

function answersTo({ answers, topic }: ReportFinding): string[] {
  return answers?.map(({ question }) => question) ?? [topic];
}

function partition<T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((one) => !belongs(one))];
}

function confidenceOf({ findings, disputed }: Part): Confidence {
  if (disputed.length > 0 || findings.every(({ is_old: isOld }) => isOld === true)) return 'low';
  return sourcesOf(findings).size >= SOURCES_FOR_HIGH ? 'high' : 'medium';
}

function reasonOf({ findings, disputed }: Part): string {
  const all = [...findings, ...disputed];
  const count = sourcesOf(all).size;
  const newest = all
    .flatMap(({ as_of: asOf }) => (asOf == null ? [] : (timeIn(asOf) ?? [])))
    .reduce<{ at: number; label: string } | null>(
      (last, one) => (last === null || one.at > last.at ? one : last),
      null,
    );
  const sources = count === 1 ? '1 source' : `${count} sources`;
  const dated = newest === null ? '' : `, ${count === 1 ? 'of' : 'the newest of'} ${newest.label}`;
  return `${sources}${dated}${disputed.length > 0 ? ', contradicted' : ''}`;
}

function sourcesOf(findings: readonly ReportFinding[]): Set<string> {
  return new Set(findings.map(({ source_id: id }) => id));
}
