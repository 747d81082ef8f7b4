import wordKinds from './word-kinds.json' with { type: 'json' };

/**
 * What is known of a word in small letters. `common` words are no names by themselves; `function` words neither begin
 * nor end one; `agent` nouns name whoever plays a part (lender, operator).
 */
export type WordKind =
  | 'given'
  | 'family'
  | 'place'
  | 'organisation'
  | 'demonym'
  | 'honorific'
  | 'calendar'
  | 'agent'
  | 'common'
  | 'function';

/** What compromise's lexicon leaves out or takes for something else. */
const OWN: Readonly<Record<WordKind, string>> = {
  given: '',
  family: '',
  place:
    'netherlands switzerland europe asia africa zurich lyon rotterdam antwerp brussels cologne geneva milan hamburg munich',
  organisation: '',
  demonym: '',
  honorific: 'mr mrs ms dr prof professor sir madam dame lord lady herr frau president captain judge senator minister',
  calendar:
    'jan feb mar apr jun jul aug sep sept oct nov dec march may easter christmas januar februar märz mai juni juli oktober dezember janvier février avril juin juillet août septembre octobre novembre décembre',
  agent: '',
  common:
    'customer customers support sales pricing account policy service system update release feature table chapter appendix article clause schedule internet web e-mail email page contents note notes see list company person subsidiary default property loan title act law code state date time day week month year part number fee fees tax rate right rights term terms notice party parties management capital venture video videos channel photo photos music game movie song album episode season live free best business confidential information source investor note stock share shares security securities net income cash debt asset assets effective default event document documents certificate copy original internal revenue federal district county northern southern eastern western north south east west central main head room floor building office department team desk shop warehouse laboratory product products price prices order orders shipping training support budget cost costs question questions answer answers rule rules plan plans basic plus full new old first second third last next early late small large big good great high low general special public private national international local global',
  function:
    'a an the and or but nor so yet if then than that this these those of in on at by for from to with without within into onto over under about above below after before since until during between among against across per via as is are was were be been being am has have had do does did will would shall should can could may might must not no yes i you he she it we they me him her us them my your his its our their who whom whose which what when where why how all any both each every few more most other some such only own same too very just also here there now once ever never always often whereas hereby thereof hereof herein therein wow ok okay please thanks thank hi hello hey oh',
};

/** Two-letter and single words that German and French texts are full of, so that they neither begin nor end a name. */
const FOREIGN_FUNCTION =
  'der die das den dem des ein eine einen einem einer und oder aber ist sind war waren im am zum zur vom bei mit nach von aus auf für über wir ihr sie es ich du le la les un une des du et ou est sont dans pour avec sur par il elle nous vous el los las una y en con por para';

let kinds: Map<string, WordKind> | null = null;

/** Returns what is known of a word in small letters; undefined for a word that no list has. */
export function wordKind(lower: string): WordKind | undefined {
  kinds ??= readKinds();
  return kinds.get(lower);
}

function readKinds(): Map<string, WordKind> {
  const read = new Map<string, WordKind>();
  for (const [kind, words] of [...Object.entries(wordKinds), ...Object.entries(OWN)])
    for (const word of words.split(' ').filter((each) => each !== '')) read.set(word, kind as WordKind);
  for (const word of FOREIGN_FUNCTION.split(' ')) if (!read.has(word)) read.set(word, 'function');
  return read;
}

/** True for a noun of somebody who does something: lender, translator; not for the plural. */
export function isAgent(lower: string): boolean {
  if (wordKind(lower) === 'agent') return !lower.endsWith('s');
  const stem = /^(.{3,})(?:er|or|ee)$/.exec(lower)?.[1];
  if (stem === undefined || wordKind(lower) !== undefined) return false;
  return [stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')].some((verb) => wordKind(verb) === 'common');
}

/** True for a word that is no name by itself: listed as such, or an inflection of one that is. */
export function isCommon(lower: string): boolean {
  const kind = wordKind(lower);
  if (kind !== undefined) return kind === 'common' || kind === 'function' || kind === 'agent' || kind === 'calendar';
  for (const [ending, replacements] of INFLECTIONS) {
    if (!lower.endsWith(ending) || lower.length <= ending.length + 2) continue;
    const stem = lower.slice(0, -ending.length);
    if (
      replacements.some(
        (replacement) => wordKind(stem + replacement) === 'common' || wordKind(stem + replacement) === 'agent',
      )
    )
      return true;
  }
  return COMMON_ENDING.test(lower);
}

const INFLECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['ies', ['y']],
  ['es', ['', 'e']],
  ['s', ['']],
  ['ing', ['', 'e']],
  ['ed', ['', 'e']],
  ['ly', ['']],
  ['er', ['', 'e']],
];
const COMMON_ENDING =
  /(?:tion|tions|ment|ments|ness|ity|ities|ance|ence|ship|ings|ically|fully|ously|able|ible|isms?|ology|ware)$/;
