import { UNIT_SYMBOLS } from '@cairn/language';
import { sameWord, type ClaimWord } from './words.ts';

const SCALES = [
  'hundred hundreds',
  'thousand thousands k tsd tausend',
  'million millions mn mln mio millionen',
  'billion billions bn mrd milliarde milliarden',
  'trillion trillions',
];

const scales: ReadonlyMap<string, string> = new Map(
  SCALES.flatMap((line) => line.split(' ').map((form) => [form, line.split(' ')[0]!] as const)),
);

/** What a number is one of, and by what it is multiplied; empty where nothing beside it says so. */
interface Measure {
  unit: string;
  scale: string;
}

const BEHIND = /^[\s\u00a0\u202f]?(?:-\s?)?(?:(?<sign>[%€$£¥])|(?<word>°[CF]|[\p{L}µ]{1,14}(?:\/[hs])?))/u;
const SIGN_BEFORE = /[€$£¥](?=\s?$)/u;
const CURRENCY_BEHIND = /^\s?(?:[€$£¥]|(?:EUR|USD|GBP|JPY|CHF|euros?|dollars?|pounds?|yen|francs?)(?!\p{L}))/u;
const POWER = /^(?:square|cubic|sq|cu)$/;

function measureOf(text: string, { at, text: number }: ClaimWord): Measure {
  let rest = text.slice(at + number.length, at + number.length + 60);
  let [scale, power] = ['', ''];
  let unit = SIGN_BEFORE.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? '';
  for (let step = 0; step < 3; step += 1) {
    const found = BEHIND.exec(rest);
    if (found === null) break;
    const form = found[0].replace(/^[\s\u00a0\u202f-]+/u, '');
    rest = rest.slice(found[0].length);
    // `$5m`: no price is one of metres.
    const isMillion = (form === 'm' || form === 'M') && (unit !== '' || CURRENCY_BEHIND.test(rest));
    const known = isMillion ? 'million' : scaleOf(form);
    if (known !== null && scale === '') scale = known;
    else if (POWER.test(form)) power = `${form.slice(0, 2)} `;
    else {
      if (unit === '') unit = isPerCent(form, rest) ? '%' : power + (unitOf(form) ?? '');
      break;
    }
  }
  return { unit: UNIT_SYMBOLS.get(unit) ?? unit.trim(), scale };
}

function scaleOf(form: string): string | null {
  return scales.get(form.toLowerCase()) ?? null;
}

function unitOf(form: string): string | null {
  return UNIT_SYMBOLS.get(form) ?? (form.length > 2 ? UNIT_SYMBOLS.get(form.toLowerCase()) : undefined) ?? null;
}

function isPerCent(form: string, rest: string): boolean {
  return /^per$/i.test(form) && /^\s?cent(?!\p{L})/iu.test(rest);
}

/**
 * Whether a claim says one of its numbers in another unit or scale than its evidence: miles for kilometres, billions for
 * millions. A unit that the evidence says elsewhere, as the heading of a column does, is believed.
 */
export function changesUnits(
  claim: { text: string; words: readonly ClaimWord[] },
  evidence: { text: string; words: readonly ClaimWord[] },
): boolean {
  const known = new Set(evidence.text.match(WORDS)?.map((word) => unitOf(word) ?? scaleOf(word)));
  return claim.words.some((word) => {
    if (word.number === null || scaleOf(word.text) !== null) return false;
    const places = evidence.words.filter((other) => sameWord(other, word));
    if (places.length === 0) return false;
    const said = measureOf(claim.text, word);
    return !places.some((place) => agrees(said, measureOf(evidence.text, place), known));
  });
}

const WORDS = /[%€$£¥]|°[CF]|[\p{L}µ]+(?:\/[hs])?/gu;

function agrees(said: Measure, own: Measure, known: ReadonlySet<string | null | undefined>): boolean {
  if (said.scale !== own.scale && !(own.scale === '' && known.has(said.scale))) return false;
  if (said.unit === own.unit) return true;
  if (own.unit === '') return known.has(said.unit);
  // A unit may be left out, a percentage may not.
  return said.unit === '' && own.unit !== '%';
}
