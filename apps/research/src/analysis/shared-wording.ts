const WORDS_MAX = 150;
const CHARS_MAX = 200;
/** Of the words of the first; with fewer in common, the gaps would hide what it says. */
const SHARED_MIN = 0.5;
const GAP = '…';

/** The word without its marks, by which words are compared. */
const bare = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * What two statements have in common, in the words of the first, with "…" for what only it says: "The cold room holds …
 * racks." The first as it is when they share too little. At most 200 characters. The words are a longest common
 * subsequence (Wagner and Fischer 1974).
 */
export function sharedWording(a: string, b: string): string {
  const words = a.split(/\s+/).filter(Boolean);
  const shared = commonPlaces(words.slice(0, WORDS_MAX).map(bare), b.split(/\s+/).slice(0, WORDS_MAX).map(bare));
  if (shared.size < words.length * SHARED_MIN) return cut(a);
  const kept = words.map((word, at) => (shared.has(at) ? word : GAP));
  return cut(kept.filter((word, at) => word !== GAP || kept[at - 1] !== GAP).join(' '));
}

/** Places of the first whose words are also in the second, in one order. */
function commonPlaces(a: readonly string[], b: readonly string[]): Set<number> {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const places = new Set<number>();
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      places.add(i);
      i++;
      j++;
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
    else j++;
  }
  return places;
}

function cut(text: string): string {
  if (text.length <= CHARS_MAX) return text;
  const end = text.lastIndexOf(' ', CHARS_MAX - GAP.length - 1);
  return end > 0 ? `${text.slice(0, end)} ${GAP}` : `${text.slice(0, CHARS_MAX - GAP.length)}${GAP}`;
}
