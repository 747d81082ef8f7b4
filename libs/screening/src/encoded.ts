/** A run of characters that encodes a text. */
interface EncodedSpan {
  start: number;
  end: number;
  decoded: string;
}

const BASE64 = /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{16,8192}={0,2}(?![A-Za-z0-9+/=_-])/g;
const HEX = /(?<![A-Za-z0-9])(?:[0-9a-fA-F]{2}){8,4096}(?![A-Za-z0-9])/g;
const PERCENT = /(?<![^\s"'`<>()=,;])[^\s"'`<>()=,;%]{0,200}%[0-9a-fA-F]{2}[^\s"'`<>()]{0,2000}/g;
const SPANS_MAX = 2_000;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Runs in base64, hexadecimal digits or percent signs that decode to text; anything else is only what it is. */
export function encodedSpans(text: string): EncodedSpan[] {
  const spans: EncodedSpan[] = [];
  const add = (match: RegExpExecArray, decoded: string | null) => {
    if (decoded !== null && decoded.length >= 6 && spans.length < SPANS_MAX)
      spans.push({ start: match.index, end: match.index + match[0].length, decoded });
  };
  for (const match of text.matchAll(BASE64)) if (isMixed(match[0])) add(match, textOf(Buffer.from(match[0], 'base64')));
  for (const match of text.matchAll(HEX)) add(match, textOf(Buffer.from(match[0], 'hex')));
  for (const match of text.matchAll(PERCENT)) add(match, percentDecoded(match[0]));
  return spans;
}

/** Words and paths are no base64: that has capitals, small letters and mostly digits too. */
function isMixed(run: string): boolean {
  return /[A-Z]/.test(run) && /[a-z]/.test(run);
}

function textOf(bytes: Buffer): string | null {
  try {
    const text = decoder.decode(bytes);
    return /^[\P{C}\n\t\r]+$/u.test(text) ? text : null;
  } catch {
    return null;
  }
}

function percentDecoded(run: string): string | null {
  try {
    const decoded = decodeURIComponent(run.replaceAll('+', ' '));
    return decoded === run ? null : decoded;
  } catch {
    return null;
  }
}
