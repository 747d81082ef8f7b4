/** Verbs that say the same: lemma, with its particle, → the class they are read as. */
export type VerbClass =
  | 'born'
  | 'die'
  | 'found'
  | 'acquire'
  | 'own'
  | 'marry'
  | 'live'
  | 'move'
  | 'leave'
  | 'succeed'
  | 'sell'
  | 'study'
  | 'attend'
  | 'lead'
  | 'work'
  | 'join'
  | 'belong'
  | 'play'
  | 'serve'
  | 'appoint'
  | 'hire'
  | 'base'
  | 'represent'
  | 'launch'
  | 'open'
  | 'report';

const VERBS: Readonly<Record<VerbClass, string>> = {
  born: 'bear',
  die: 'die perish decease kill assassinate execute pass_away',
  found:
    'found establish create start form incorporate co-found cofound set_up organize organise institute charter constitute',
  acquire: 'acquire buy purchase take_over buy_out snap_up',
  own: 'own control',
  marry: 'marry wed',
  live: 'live reside dwell settle inhabit settle_down grow_up',
  move: 'move relocate emigrate immigrate migrate transfer return',
  leave: 'leave quit depart resign retire step_down stand_down step_aside',
  succeed: 'succeed replace',
  sell: 'sell',
  study: 'study graduate matriculate enroll enrol educate train',
  attend: 'attend',
  lead: 'head lead run manage chair direct captain',
  work: 'work',
  join: 'join sign_for rejoin sign',
  belong: 'belong',
  play: 'play',
  serve: 'serve',
  appoint: 'appoint name elect promote',
  hire: 'hire employ recruit draft',
  base: 'base headquarter locate situate',
  represent: 'represent',
  launch: 'launch release',
  open: 'open',
  report: 'report',
};

const CLASS_OF = new Map<string, VerbClass>();
for (const [name, verbs] of Object.entries(VERBS))
  for (const verb of verbs.split(' ')) CLASS_OF.set(verb.replace('_', ' '), name as VerbClass);

export function verbClass(lemma: string): VerbClass | null {
  return CLASS_OF.get(lemma) ?? null;
}

type Kin = 'child' | 'parent' | 'spouse' | 'sibling';
const KIN: Readonly<Record<Kin, string>> = {
  child: 'son daughter child',
  parent: 'father mother parent dad mom mum',
  spouse: 'wife husband spouse widow widower bride groom ex-wife ex-husband',
  sibling: 'brother sister sibling',
};
const KIN_OF = new Map<string, Kin | null>(
  Object.entries(KIN).flatMap(([kin, nouns]) => nouns.split(' ').map((noun): [string, Kin] => [noun, kin as Kin])),
);
for (const noun of [
  'stepson',
  'grandson',
  'granddaughter',
  'grandchild',
  'fiancé',
  'fiancée',
  'nephew',
  'niece',
  'cousin',
])
  KIN_OF.set(noun, null);

/** The relation of kin that a noun names; undefined for a noun that names none, null for a distant one. */
export function kinshipOf(lemma: string): Kin | null | undefined {
  return KIN_OF.get(lemma);
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

export const DEGREES = words(
  `degree ba bsc bs b.a b.a. b.sc b.s b.s. ma m.a m.a. msc ms m.s m.s. mba mfa md m.d m.d. jd j.d j.d. phd ph.d ph.d.
  doctorate diploma bachelor bachelors master masters llb llm education scholarship certificate dphil mphil law graduate
  alumnus alumna alumni alum`,
);
const PARTIES = words(
  `democrat democratic republican labour conservative liberal tory green whig communist socialist libertarian federalist
  fascist nazi unionist congress bjp snp ndp progressive social-democrat`,
);
const PARTY_WORDS = words(
  `party democrats republicans liberals conservatives labour labor front alliance coalition movement congress bjp snp udf
  ump cdu spd gop tories greens league`,
);
const SURE_PARTY_WORDS = words(
  'party democrat democrats republican republicans labour congress bjp liberals conservatives front tories greens alliance',
);
const SPORTS_WORDS = words('football soccer hockey baseball basketball rugby cricket premier major national');

export function isPartyAdjective(lower: string): boolean {
  return PARTIES.has(lower) || (lower.endsWith('s') && PARTIES.has(lower.slice(0, -1)));
}

export function namesParty(name: string): boolean {
  return name
    .toLowerCase()
    .split(' ')
    .some((word) => PARTY_WORDS.has(word));
}

/** A party and nothing else: no league or alliance of a sport. */
export function isUnambiguousParty(name: string): boolean {
  const parts = name.toLowerCase().split(' ');
  return parts.some((word) => SURE_PARTY_WORDS.has(word)) && !parts.some((word) => SPORTS_WORDS.has(word));
}

const SCHOOL_STEMS = [
  'universit',
  'college',
  'school',
  'institut',
  'academy',
  'polytechnic',
  'conservator',
  'seminary',
  'gymnasium',
  'lycée',
  'lycee',
  'hochschule',
  'école',
  'faculty',
];
const SCHOOL_NAMES = words('mit ucla eth lse nyu insead harvard yale princeton oxford cambridge stanford eton');

export function namesSchool(name: string): boolean {
  const lower = name.toLowerCase();
  return SCHOOL_STEMS.some((stem) => lower.includes(stem)) || lower.split(' ').some((word) => SCHOOL_NAMES.has(word));
}

export const PART_NOUNS = words(
  'subsidiary division unit arm affiliate imprint subdivision branch part brand sub-label sublabel',
);
export const FOUNDER_NOUNS = words('founder co-founder cofounder creator originator');
export const HEAD_NOUNS = words(
  'president head chairman director leader chief manager captain dean principal chairwoman chair governor',
);
/** Nouns of posts that WordNet does not know as persons, or knows as something else first. */
export const TITLE_NOUNS = words(
  `ceo cto cfo coo chair head chief officer president chairman founder co-founder cofounder director executive partner
  member professor lecturer fellow alumnus alumna graduate native resident author co-author midfielder striker defender
  goalkeeper forward quarterback pitcher mp mep star principal lead counsel`,
);
export const ALUMNI_NOUNS = words('graduate alumnus alumna alum student pupil alumni');
export const SUPPORTER_NOUNS = words('supporter candidate leader chairman secretary president');
export const HEADQUARTERS_NOUNS = words('headquarters headquarter office base seat hq');
/** "the company" and the like, which may stand for an organisation named before. */
export const NOMINALS = words(
  `company firm band group university organization organisation corporation club team label school college party bank
  airline studio newspaper magazine agency foundation institute business startup charity museum`,
);

export const IN_PLACE = words('in at near on outside between within');
export const DATE_PREPOSITIONS = words('in on at since around by of during circa about until');
export const AFFILIATION_PREPOSITIONS = words('of at for');

/** What a noun for an event dates, and the relation to whoever did it. */
interface EventNoun {
  date: string;
  agent: string | null;
  of: 'person' | 'thing';
}

const FOUNDING: EventNoun = { date: 'founded_date', agent: 'founded_by', of: 'thing' };
const TAKEOVER: EventNoun = { date: 'acquired_date', agent: 'owned_by', of: 'thing' };

export const NOMINALISATIONS: ReadonlyMap<string, EventNoun> = new Map([
  ['founding', FOUNDING],
  ['establishment', FOUNDING],
  ['creation', FOUNDING],
  ['formation', FOUNDING],
  ['inception', { ...FOUNDING, agent: null }],
  ['acquisition', TAKEOVER],
  ['purchase', TAKEOVER],
  ['takeover', TAKEOVER],
  ['birth', { date: 'birth_date', agent: null, of: 'person' }],
  ['death', { date: 'death_date', agent: null, of: 'person' }],
  ['launch', { date: 'launch_date', agent: null, of: 'thing' }],
]);

/** What "the … of X is Y" says, by the words of its noun; a noun that is not here names its own relation. */
export const ATTRIBUTES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    date_of_birth: 'birth_date',
    birth_date: 'birth_date',
    birthday: 'birth_date',
    birthdate: 'birth_date',
    date_of_death: 'death_date',
    founding_date: 'founded_date',
    year_of_foundation: 'founded_date',
    founder: 'founded_by',
    cofounder: 'founded_by',
    'co-founder': 'founded_by',
    headquarters: 'headquarters',
    headquarter: 'headquarters',
    head_office: 'headquarters',
    main_office: 'headquarters',
    seat: 'headquarters',
    hq: 'headquarters',
    birthplace: 'born_in',
    place_of_birth: 'born_in',
    hometown: 'lives_in',
    ceo: 'ceo',
    chief_executive: 'ceo',
    chief_executive_officer: 'ceo',
    owner: 'owned_by',
    parent_company: 'owned_by',
    wife: 'spouse',
    husband: 'spouse',
    spouse: 'spouse',
    father: 'child_of',
    mother: 'child_of',
    son: 'parent_of',
    daughter: 'parent_of',
    leader: 'led_by',
    head: 'led_by',
  }),
);

/** Whether the words of a role are those of a chief executive. */
export function isChiefExecutive(role: string): boolean {
  const lower = role.toLowerCase();
  return lower.includes('chief executive') || lower.split(' ').some((word) => word === 'ceo' || word === 'c.e.o.');
}
