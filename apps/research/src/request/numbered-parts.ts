/** A request whose parts are marked: "(1) … (2) …", "a) … b) …", or one a line. */
interface MarkedRequest {
  lead: string;
  parts: string[];
  tail: string;
}

interface Mark {
  at: number;
  end: number;
  /** 0 for "1" and "a". */
  rank: number;
  /** Marks of one request look alike. */
  style: string;
}

const INLINE = /(?<![\p{L}\p{N}.)])(\(?)(\d{1,2}|[a-hA-H])([.)])(?=\s)/gu;
const BULLET = /^[^\S\n]{0,20}[-*•–][^\S\n]+(?=\S)/gmu;
const SENTENCE_END = /[.!?]["”’)]?\s+(?=[\p{Lu}"“(])|\n/u;
const PARTS_MAX = 12;

/** Splits a request at its marks: at least two that count up from the first number or letter, or two bullets. */
export function markedParts(text: string): MarkedRequest {
  const marks = countingUp(text) ?? bullets(text);
  if (marks === null) return { lead: text, parts: [], tail: '' };
  const parts = marks.map(({ end }, i) => text.slice(end, marks[i + 1]?.at ?? text.length));
  const last = parts.pop()!;
  const close = SENTENCE_END.exec(last.trimStart());
  const indent = last.length - last.trimStart().length;
  const cut = close === null ? last.length : indent + close.index + 1;
  return {
    lead: text.slice(0, marks[0]!.at).trim(),
    parts: [...parts, last.slice(0, cut)].map(trimPart).filter((part) => part !== ''),
    tail: last.slice(cut).trim(),
  };
}

function countingUp(text: string): Mark[] | null {
  const all = [...text.matchAll(INLINE)].map((match): Mark => {
    const [whole, open, sign, close] = match as unknown as [string, string, string, string];
    const isNumber = /^\d/.test(sign);
    const rank = isNumber ? Number(sign) - 1 : sign.toLowerCase().charCodeAt(0) - 97;
    const style = `${open}${isNumber ? '1' : 'a'}${close}`;
    return { at: match.index, end: match.index + whole.length, rank, style };
  });
  for (const first of all.filter(({ rank }) => rank === 0)) {
    const chain = [first];
    for (const mark of all)
      if (mark.at > chain.at(-1)!.at && mark.style === first.style && mark.rank === chain.length) chain.push(mark);
    if (chain.length >= 2) return chain.slice(0, PARTS_MAX);
  }
  return null;
}

function bullets(text: string): Mark[] | null {
  const found = [...text.matchAll(BULLET)].map((match, rank): Mark => {
    return { at: match.index, end: match.index + match[0].length, rank, style: '-' };
  });
  return found.length < 2 ? null : found.slice(0, PARTS_MAX);
}

/** Without what joins it to the next part. */
function trimPart(part: string): string {
  let trimmed = part.replace(/\s+/g, ' ').trim();
  for (;;) {
    const before = trimmed;
    if (/[,;.:]$/.test(trimmed)) trimmed = trimmed.slice(0, -1).trimEnd();
    for (const joint of [' and', ' or', ' as well as'])
      if (trimmed.endsWith(joint)) trimmed = trimmed.slice(0, -joint.length).trimEnd();
    if (trimmed === before) return trimmed;
  }
}
