/** Characters in a row that read like a host name, with the local part of an e-mail address before it. */
export interface HostRun {
  start: number;
  end: number;
  /** The last label, in small letters. */
  topLevel: string;
  /** Its last label could be a top-level domain. */
  hasTopLevel: boolean;
  /** Four numbers. */
  isNumeric: boolean;
  hasLocalPart: boolean;
}

const RUN = /[\p{L}\p{M}\p{N}_.-]+/gu;
const LOCAL_MAX_CHARS = 64;
const LOCAL_PART = /(?<![\p{L}\p{N}!#$%&'*+/=?^_{|}~.-])[\p{L}\p{N}!#$%&'*+/=?^_{|}~.-]+$/u;
const TOP_LEVEL = /^(?:xn--[a-z0-9-]{1,59}|\p{L}[\p{L}\p{M}]{1,23})/iu;
const FOUR_NUMBERS = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

/** Every run of characters that reads like a host name: at least two labels, or behind an `@`. */
export function hostRuns(text: string): HostRun[] {
  const runs: HostRun[] = [];
  for (const match of text.matchAll(RUN)) {
    const run = match[0];
    const first = /[^._-]/.exec(run)?.index ?? run.length;
    const trimmed = withoutTrailing(run);
    if (first >= trimmed.length) continue;
    const host = run.slice(first, trimmed.length);
    const labels = host.split('.');
    if (labels.length < 2 || labels.includes('')) continue;
    // Some programs end an address before a character that others take along.
    const topLevel = TOP_LEVEL.exec(labels.at(-1)!)?.[0].toLowerCase() ?? '';
    const isNumeric = FOUR_NUMBERS.test(host);
    const hasTopLevel = topLevel !== '';
    const hostStart = match.index + first;
    const local = text[hostStart - 1] === '@' ? localPart(text, hostStart - 1) : '';
    if (!isNumeric && !hasTopLevel && local === '') continue;
    runs.push({
      start: local === '' ? hostStart : hostStart - 1 - local.length,
      end: hostStart + host.length,
      topLevel,
      hasTopLevel,
      isNumeric,
      hasLocalPart: local !== '',
    });
  }
  return runs;
}

function withoutTrailing(run: string): string {
  let end = run.length;
  while (end > 0 && '._-'.includes(run[end - 1]!)) end -= 1;
  return run.slice(0, end);
}

function localPart(text: string, at: number): string {
  return LOCAL_PART.exec(text.slice(Math.max(0, at - LOCAL_MAX_CHARS), at))?.[0] ?? '';
}
