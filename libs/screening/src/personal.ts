import { EUROPEAN_MONTH_PATTERN } from '@cairn/language';
import type { Finding } from './finding.ts';

const DATE = new RegExp(
  `(?<![\\d/.-])(?:\\d{1,2}[-/.]\\d{1,2}[-/.](?:19|20)\\d{2}|(?:19|20)\\d{2}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}(?:st|nd|rd|th|\\.)? (?:of |de )?(?:${EUROPEAN_MONTH_PATTERN})\\.?,? (?:de )?(?:19|20)\\d{2}|(?:${EUROPEAN_MONTH_PATTERN})\\.? \\d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\\d{2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{2})(?![\\d/-])`,
  'giu',
);
const BIRTH_WORDS =
  /(?:\b(?:born|birth ?date|date of birth|birthday|d\.?o\.?b\.?|geboren|geboortedatum|geb\.|geburtsdatum|geburtstag|née?|date de naissance|naissance|nacid[oa]|fecha de nacimiento|nat[oa] il|data di nascita|data urodzenia|ur\.|födelsedatum))[\s:="'()[\],*]{0,4}(?:(?:on|is|was|am|op|le|el|the|den|ist|war)\b[\s:]{0,2}){0,2}$/iu;
const NEAR_CHARS = 40;

/** Dates behind words for being born. Any other date is only a date. */
export function findBirthDates(text: string): Finding[] {
  if (!/\d/.test(text)) return [];
  const findings: Finding[] = [];
  for (const match of text.matchAll(DATE)) {
    const before = text.slice(Math.max(0, match.index - NEAR_CHARS), match.index);
    if (BIRTH_WORDS.test(before))
      findings.push({ kind: 'birth_date', start: match.index, end: match.index + match[0].length });
  }
  return findings;
}

const NAME = "(?:St\\.|\\p{Lu}[\\p{L}'’-]{1,30})";
const NUMBER = '\\d{1,5}(?:[-/]\\d{1,4})?(?: ?[a-zA-Z](?![\\p{L}\\p{N}]))?';
/** Kinds of streets that stand behind the name, apart or as its ending, and those that stand before it. */
const APART =
  'Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Way|Court|Ct|Place|Pl|Square|Sq|Terrace|Close|Crescent|Gardens|Grove|Highway|Hwy|Parkway|Pkwy|Row|Mews|Hill|Park|Quay';
const ENDING =
  '(?:straße|strasse|str\\.|straat|weg|laan|plein|gracht|kade|singel|dijk|platz|allee|gasse|ring|damm|ufer|gatan|vägen|gade|vej)';
const BEFORE =
  'Rue|Avenue|Boulevard|Place|Quai|Impasse|Allée|Chemin|Via|Viale|Piazza|Corso|Vicolo|Largo|Calle|Avenida|Avda\\.|Plaza|Paseo|Carrer|Carretera|Rua|Travessa|Praça|ul\\.|ulica|al\\.|aleja|pl\\.';
const PARTICLE = "(?:d['’]|de|du|des|del|della|di|da|do|dos|la|le|les|los|las|van|von|der|den|den|el|of|the)";
const STREETS = [
  `${NUMBER},? (?:${NAME} ){1,4}(?:${APART})\\b\\.?`,
  `(?:${NAME} ){1,4}(?:${APART})\\.? ${NUMBER}`,
  `(?:${NUMBER},? )(?:${BEFORE}) (?:${PARTICLE} ?){0,3}${NAME}(?: (?:${PARTICLE} ?)?${NAME}){0,3}`,
  `(?:${BEFORE}) (?:${PARTICLE} ?){0,3}${NAME}(?: (?:${PARTICLE} ?)?${NAME}){0,3},? ${NUMBER}`,
  `(?:${NAME} ){0,2}\\p{Lu}[\\p{L}-]{2,30}${ENDING} ${NUMBER}`,
  `${NUMBER} \\p{Lu}[\\p{L}-]{2,30}${ENDING}`,
];
const POSTCODE =
  '(?:[A-Z]{1,2}-)?\\d{4,5}(?:-\\d{3,4})?(?: ?[A-Z]{2})?|[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}|[A-Z]{2} \\d{5}';
const FLAT = '(?:,? (?:apt|apartment|flat|suite|unit|bus|appartement|floor)\\.? ?#?[\\dA-Za-z]{1,5})?';
const CITY = `${NAME}(?:[ -](?:(?:am|an|der|de|den|la|le|sur|upon|on|aan|am|im) )?${NAME}){0,2}`;
const REST = `${FLAT}(?:,\\s{1,2}(?:(?:${POSTCODE})[ ,]{1,2})?${CITY}(?:,? (?:${POSTCODE}))?(?![\\p{L}])|,?\\s{1,2}(?:${POSTCODE})(?:\\s${CITY})?)?`;
const ADDRESS = new RegExp(`(?<![\\p{L}\\p{N}-])(?:${STREETS.join('|')})${REST}`, 'gu');
const MAY_HOLD_ADDRESS = new RegExp(
  `\\d[^]{0,80}(?:${APART}|${ENDING}|${BEFORE})|(?:${APART}|${ENDING}|${BEFORE})[^]{0,80}\\d`,
  'u',
);

/** Postal addresses: a street of a known kind with a house number, and the postcode and town behind it. */
export function findAddresses(text: string): Finding[] {
  if (!MAY_HOLD_ADDRESS.test(text)) return [];
  return [...text.matchAll(ADDRESS)].map((match) => ({
    kind: 'address',
    start: match.index,
    end: match.index + match[0].replace(/(?<![\s,.])[\s,.]+$/, '').length,
  }));
}
