import type { DlpPolicy, Finding, FindingKind } from './finding.ts';
import { screenText } from './screen-text.ts';

interface MaskedTexts {
  segments: string[];
  /** How many places of each kind were masked; most first. */
  counts: { kind: FindingKind; count: number }[];
}

const BETWEEN_SEGMENTS = '\n\n';

/**
 * Masks the texts of one document: what is found becomes `[[KIND_n]]`, the same value always under the same number,
 * numbered in the order of the texts. They are screened as one, because what is to be masked may cross from a
 * paragraph into the next; the mask stands where it begins.
 */
export async function maskTexts(segments: readonly string[], policy: DlpPolicy): Promise<MaskedTexts> {
  if (policy === 'off' || segments.length === 0) return { segments: [...segments], counts: [] };
  const whole = segments.join(BETWEEN_SEGMENTS);
  const findings = await screenText(whole, policy);
  if (findings.length === 0) return { segments: [...segments], counts: [] };
  const masks = masksOf(whole, findings);
  const masked: string[] = [];
  let start = 0;
  let next = 0;
  for (const segment of segments) {
    const end = start + segment.length;
    let text = '';
    let position = start;
    while (next < findings.length && findings[next]!.start < end) {
      const finding = findings[next]!;
      if (finding.start >= position) text += whole.slice(position, finding.start) + masks[next]!;
      position = Math.max(position, Math.min(finding.end, end));
      if (finding.end > end) break; // It goes on in the next text.
      next += 1;
    }
    text += whole.slice(position, end);
    masked.push(text);
    start = end + BETWEEN_SEGMENTS.length;
    // The rest of what began before is left out without a second mask.
    const open = findings[next];
    if (open !== undefined && open.start < start) open.start = Math.min(open.start, start - 1);
  }
  return { segments: masked, counts: countsOf(findings) };
}

function masksOf(text: string, findings: readonly Finding[]): string[] {
  const numbers = new Map<string, number>();
  const used = new Map<FindingKind, number>();
  return findings.map(({ kind, start, end }) => {
    const name = `${kind} ${canonical(text.slice(start, end))}`;
    let number = numbers.get(name);
    if (number === undefined) {
      number = (used.get(kind) ?? 0) + 1;
      used.set(kind, number);
      numbers.set(name, number);
    }
    return `[[${kind.toUpperCase()}_${number}]]`;
  });
}

/** Two spellings of one value are one value. */
function canonical(value: string): string {
  return value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@+]/gu, '');
}

function countsOf(findings: readonly Finding[]): MaskedTexts['counts'] {
  const counts = new Map<FindingKind, number>();
  for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count]) => ({ kind, count }))
    .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
}

/** Masks one short text, such as a title, a name or a prompt. */
export async function maskText(text: string, policy: DlpPolicy): Promise<string> {
  return (await maskTexts([text], policy)).segments[0]!;
}
