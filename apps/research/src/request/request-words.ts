import { LANGUAGE_NAMES } from '@cairn/language';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** What reports are made of, what they are made from, and how they may be: a sentence of these alone asks nothing. */
export const ABOUT_THE_REPORT: ReadonlySet<string> = setOf(
  `report answer reply response brief briefing note memo memorandum summary overview abstract essay article text write
  document doc file folder upload attachment memory knowledge knowledge-base handbook source citation reference
  footnote link url web internet website online google table column row list bullet bulletpoint point item paragraph
  section chapter heading headline title subtitle page line sentence word character char token length format form layout
  structure outline order style tone voice language wording phrasing terminology jargon term detail depth fact figure
  number digit date name quote quotation example evidence proof opinion view speculation guess assumption hallucination
  bias introduction intro conclusion preamble disclaimer filler fluff repetition version draft revision copy emoji
  markdown html json csv pdf prose plain-text chart diagram image picture unit currency decimal percent percentage
  precision accuracy care attention time hurry rush step thought reasoning research search work task job request question
  prompt instruction query help thank thanks advance regard greeting cheer favour favor please detail material input
  output result content information info data mind limit maximum minimum most least max min total boss manager colleague
  deadline meeting presentation review today tomorrow tonight yesterday now morning afternoon evening week month day
  monday tuesday wednesday thursday friday saturday sunday reader audience layman layperson beginner expert child tab
  ${LANGUAGE_NAMES.join(' ')} asap tldr tl;dr eli5 everything anything something thing
  nothing matter way kind sort part bit lot piece point-form end beginning start top bottom order alphabet spelling grammar`,
);

/** What is done to the work or to its manner, never to what is asked about. */
export const WORKING_VERBS: ReadonlySet<string> = setOf(
  `be use act pretend imagine assume keep stay stick limit restrict confine take think remember note ensure make-sure
  format structure cite quote translate reply respond answer avoid ignore skip omit exclude leave refrain stop mind
  double-check verify proofread feel try work proceed continue begin start behave speak talk phrase formulate word
  sound`,
);

/** What asks for something: about the world when its object is, about the report when its object is. */
export const ASKING_VERBS: ReadonlySet<string> = setOf(
  `describe explain compare contrast list summarise summarize outline sketch find show tell give name identify analyse
  analyze discuss research investigate explore examine determine calculate compute estimate evaluate assess review cover
  include focus concentrate write prepare draft create make produce provide present compile collect gather report state
  define mention add put look search consult read check get bring send deliver enumerate detail clarify elaborate
  address say say help let study`,
);

/** Verbs of telling that add nothing to their object: "Describe the port" asks for the port. */
export const REPORTING_VERBS: ReadonlySet<string> = setOf(
  `describe explain list summarise summarize outline find show tell give name identify discuss research investigate
  explore examine write prepare draft create make produce provide present compile collect gather cover include focus
  concentrate report state enumerate detail address review`,
);

/** What says that something is to be left out. */
export const EXCLUDING_VERBS: ReadonlySet<string> = setOf('avoid ignore skip omit exclude leave refrain');

export const GREETINGS: ReadonlySet<string> = setOf(
  'hello hi hey dear greetings thanks thank cheers regards bye welcome sorry please ok okay good',
);

/** Verbs by which askers say that they want something. */
export const DESIRE_VERBS: ReadonlySet<string> = setOf(
  'want need like look wonder search seek interest ask hope wish love',
);

export const COMES_BY_PREPOSITION: ReadonlySet<string> = setOf(
  'in as with without from using within by via like at under no only just to for',
);
