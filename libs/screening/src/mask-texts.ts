import type { DlpPolicy, Finding, FindingKind } from './finding.ts';
import type { NamedValue } from './named-values.ts';
import { screenText, withoutOverlaps } from './screen-text.ts';
import { isKeyLike } from './value-shapes.ts';

interface MaskedTexts {
  segments: string[];
  /** How many places of each kind were masked; most first. */
  counts: { kind: FindingKind; count: number }[];
}

/** A text, and what its document calls values in it. */
export interface ScreenedText {
  text: string;
  values: readonly NamedValue[];
}

const BETWEEN_SEGMENTS = '\n\n';

/**
 * Masks the texts of one document: what is found becomes `[[KIND_n]]`, the same value always under the same number,
 * numbered in the order of the texts. They are screened as one, because what is to be masked may cross from a
 * paragraph into the next; the mask stands where it begins.
 */
export async function maskTexts(texts: readonly (string | ScreenedText)[], policy: DlpPolicy): Promise<MaskedTexts> {
  const segments = texts.map((text) => (typeof text === 'string' ? text : text.text));
  if (policy === 'off' || segments.length === 0) return { segments, counts: [] };
  const whole = segments.join(BETWEEN_SEGMENTS);
  const found = await screenText(whole, policy, { values: valuesOf(texts) });
  const findings = withRepetitions(whole, found);
  if (findings.length === 0) return { segments, counts: [] };
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

/** The named values of all texts, placed in the whole; records of one text are none of another. */
function valuesOf(texts: readonly (string | ScreenedText)[]): NamedValue[] {
  const placed: NamedValue[] = [];
  let start = 0;
  let records = 0;
  for (const text of texts) {
    const { text: said, values } = typeof text === 'string' ? { text, values: [] } : text;
    let most = 0;
    for (const value of values) {
      placed.push({ ...value, start: value.start + start, end: value.end + start, record: value.record + records });
      most = Math.max(most, value.record + 1);
    }
    records += most;
    start += said.length + BETWEEN_SEGMENTS.length;
  }
  return placed;
}

const REPEATED_MIN_CHARS = 6;
/** Of text that is looked through for secrets known from elsewhere in it. */
const REPEATED_MAX_CHARS = 200_000_000;

/** A secret is one wherever it stands: in the title, in a sentence that does not name it, in another row. */
function withRepetitions(text: string, findings: readonly Finding[]): Finding[] {
  const kinds = new Map<string, FindingKind>();
  for (const { kind, start, end } of findings) {
    const value = text.slice(start, end);
    if ((kind === 'password' || kind === 'token') && end - start >= REPEATED_MIN_CHARS && isKeyLike(value))
      kinds.set(value, kind);
  }
  const all = [...findings];
  let left = REPEATED_MAX_CHARS;
  for (const [value, kind] of kinds) {
    left -= text.length;
    if (left < 0) break;
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
      const end = at + value.length;
      if (!isInWord(text, at, end)) all.push({ kind, start: at, end });
    }
  }
  return all.length === findings.length ? all : withoutOverlaps(all);
}

function isInWord(text: string, start: number, end: number): boolean {
  return (
    /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, start - 2), start)) || /^[\p{L}\p{N}]/u.test(text.slice(end, end + 2))
  );
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
