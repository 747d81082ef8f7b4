const HONORIFIC = /^(?:(?:Dr|Prof|Mr|Mrs|Ms|Mx|Sir|Dame|Ing|Dipl)\.?\s+)+/u;
const PARTICLE = '(?:von|van|de|der|den|da|di|del|della|dos|la|le|bin|ibn|al|el|ten|ter|zu|zur|af|av|of)';
const PART = String.raw`(?:\p{Lu}[\p{L}'’]*(?:-\p{Lu}[\p{L}'’]+)*|\p{Lu}\.)`;
/**
 * Capitalised words with the particles that names may contain. Expects white space to be collapsed to single blanks.
 */
export const CAPITALISED = String.raw`\p{Lu}[\p{L}\p{N}&.'’-]{0,60}(?: (?:(?:of|de|la|und|and|für|the|am|an|der) )?\p{Lu}[\p{L}\p{N}&.'’-]{0,60}){0,7}`;
const NAME = new RegExp(String.raw`^${PART}(?:\s+(?:${PARTICLE}\s+){0,2}${PART}){1,3}$`, 'u');
/** Capitalised words of titles and headings that are no part of a person's name. */
const NO_NAME =
  /\b(?:team|teams|policy|policies|handbook|guide|report|notes?|release|product|products|company|office|department|service|services|level|levels|directory|glossary|index|overview|summary|about|contact|home|page|welcome|incident|incidents|customer|customers|platform|operations|security|university|college|institute|school|inc|ltd|gmbh|ag|corp|llc|plc|group|holding|cloud|project|plan|plans|agenda|minutes|meeting|faq|press|news|blog|careers|jobs|terms|privacy|education|experience|skills|languages|profile|biography|contents|introduction|north|south|east|west|january|february|march|april|may|june|july|august|september|october|november|december|the|our|and)\b/iu;

/** The person's name that the text consists of, without titles; null when it is not a name. */
export function personNameIn(text: string): string | null {
  const bare = text
    .trim()
    .replace(HONORIFIC, '')
    .replace(/,\s*(?:PhD|MD|MBA|MSc|BSc|Dr|Ph\.D)[^]*/iu, '');
  const turned = /^(\p{Lu}[\p{L}'’-]+),\s+(\p{Lu}[\p{L}.'’-]+(?:\s+\p{Lu}[\p{L}.'’-]*)?)$/u.exec(bare);
  const name = turned === null ? bare : `${turned[2]} ${turned[1]}`;
  return name.length <= 60 && NAME.test(name) && !NO_NAME.test(name) ? name : null;
}

const SUBJECT = new RegExp(
  String.raw`^(${PART}(?:\s+(?:${PARTICLE}\s+){0,2}${PART}){1,3})(?:,|\s*\(|\s+(?:is|was|has|works|worked|leads|joined|lives|studied|speaks|heads|runs|manages|serves|holds|brings|started|graduated|spent|builds|designs|writes|currently|now|recently)\b|\s+[—–-]\s+)`,
  'u',
);

/** A person's name that a sentence about them begins with. */
export function subjectNameIn(sentence: string): string | null {
  const match = SUBJECT.exec(sentence.replace(HONORIFIC, ''));
  return match === null ? null : personNameIn(match[1]!);
}

/** A normalised name, equal for its spellings: no accents, lower case, ue for ü and the like, no middle initials. */
export function nameKey(name: string): string {
  return name
    .replace(HONORIFIC, '')
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/ß/g, 'ss')
    .replace(/ø/g, 'oe')
    .replace(/æ/g, 'ae')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\b[a-z]\.\s*/g, (initial, at: number) => (at === 0 ? initial : ''))
    .replace(/ae/g, 'a')
    .replace(/oe/g, 'o')
    .replace(/ue/g, 'u')
    .replace(/[^a-z0-9 ]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Levenshtein distance, or `max` + 1 when it is larger than `max`. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1)
      row[j] = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    before = row;
  }
  return before[b.length]!;
}
