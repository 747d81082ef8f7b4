import { nameWords, wordsOf } from './words.ts';

/**
 * Words that tables and questions use for one another. A line is a concept: general vocabulary of trade,
 * administration, places and measures, none of it from one table.
 */
const CONCEPTS = [
  'salary wage pay earn compensation remuneration',
  'price cost expensive cheap costly fee rate tariff charge afford',
  'revenue sales turnover proceeds income earnings grossed',
  'profit margin profitable',
  'quantity qty unit piece volume amount',
  'stock inventory',
  'duration length minute hour day second week long short take last lasting downtime runtime',
  'date day when',
  'year when',
  'employee staff worker colleague person personnel headcount staffer',
  'member person people participant attendee',
  'patient person subject participant',
  'student pupil person learner',
  'site location place city town where based office branch plant headquarters',
  'hall warehouse building room where shelf bin aisle location',
  'country nation where',
  'region area territory where',
  'article item product part sku good material',
  'order purchase transaction sale',
  'customer client buyer account purchaser',
  'supplier vendor provider manufacturer maker producer brand',
  'incident outage event case failure disruption',
  'ticket issue request case bug',
  'owner responsible assignee assigned handle charge agent',
  'kg kilogram kilo',
  'km kilometre kilometer',
  'eur euro',
  'usd dollar',
  'destination go where',
  'origin where',
  'manager lead leader head manage',
  'department team division unit function',
  'type kind category class sort genre',
  'status state condition',
  'weight heavy light weigh mass kg ton tonne',
  'height tall high elevation altitude metre',
  'distance far long km mile length',
  'width wide narrow',
  'depth deep shallow',
  'size area large big small',
  'age old young',
  'population inhabitant populous resident people',
  'speed fast slow quick',
  'capacity seat hold guest fit',
  'score point rating grade mark rated',
  'cause reason why because',
  'start begin began launch',
  'end finish expire expiry ended',
  'close closed resolved',
  'open opened report raise create',
  'hire hired join employ recruit',
  'number no id code reference ref identifier',
  'title name call named titled',
  'author writer write',
  'temperature hot cold warm degree',
  'power kw watt powerful',
  'book reserve booking reservation',
  'budget funding fund',
  'built construct build completed erected',
  'vehicle car van truck',
  'company firm organisation organization business',
  'invoice bill',
  'balance outstanding owe due',
  'vacation leave holiday',
  'left remain remaining',
  'mileage odometer kilometre km driven',
  'visitor attendance visit attended',
  'phone telephone',
  'language speak spoken',
  'doctor physician',
  'teacher instructor lecturer teach taught trainer',
  'course class training',
  'discount reduction rebate',
  'share percentage percent',
];

const concepts = new Map<string, number[]>();
for (const [index, line] of CONCEPTS.entries()) {
  for (const { root } of wordsOf(line)) {
    const known = concepts.get(root) ?? [];
    if (!known.includes(index)) known.push(index);
    concepts.set(root, known);
  }
}

/** True when two roots may stand for one another. */
export function areRelated(a: string, b: string): boolean {
  if (a === b) return true;
  const ofB = concepts.get(b);
  return ofB !== undefined && (concepts.get(a)?.some((concept) => ofB.includes(concept)) ?? false);
}

const roots = (text: string): ReadonlySet<string> => new Set(wordsOf(text, 1_000).map(({ root }) => root));
const stems = (text: string): ReadonlySet<string> => new Set(wordsOf(text, 1_000).map(({ stem }) => stem));

/** They ask, join and stand in: nothing is left unread when they are passed over. */
const FILLERS = stems(
  'a an the this that these those there their its his her our your my it they them he she we i you of in on at to for from by with and or as is are was were be been being am do does did have has had having will would can could should may might must which what who whom whose where when how please give list show tell find name display return provide state let know get me us all every any both also than then if so each other only just altogether total overall whole sum together entire exactly currently now ? , ; id ids row rows record records entry entries table file sheet spreadsheet data dataset listed recorded according following value values number numbers respectively order first last top bottom best worst highest lowest ascending descending many much per respective corresponding across among within between during over under into out about one ones name names amount figure',
);

/** Verbs that relate a row to one of its values, whichever it is. */
const RELATING_VERBS = roots(
  'station situate park come came go went gone place work live belong make made sell sold buy bought take took supply supplied deliver delivered cause caused be located base based register held hold host run ran produce produced receive received generate generated contain include involve involved affect affected happen happened occur occurred fall fell stand stood sit sat lie keep kept store stored use used serve served ship shipped assign assigned need needed require required offer offered bring brought reach see saw amount earn cost spend spent bear pay play played publish write carry carried stay stayed attend attended treat visit visited bear exist available appear appeared own owned opened start started achieve achieved record count rank sort sorted order ordered put lead led set handle handled manage managed teach taught provide provided',
);

/** What a row may be called whatever it is. */
const GENERIC_NOUNS = stems('row record entry item thing piece unit one');

export function isFiller(stem: string): boolean {
  return FILLERS.has(stem);
}

export function isRelatingVerb(root: string): boolean {
  return RELATING_VERBS.has(root);
}

export function isGenericNoun(stem: string): boolean {
  return GENERIC_NOUNS.has(stem);
}

const PERSON_WORDS = ['person', 'employee', 'name', 'owner', 'member', 'customer', 'author', 'manager'];

/** True for a column that says who: `name`, `owner`, `contact person`. */
export function isPersonColumn(column: string): boolean {
  return nameWords(column).some(({ root, stem }) =>
    PERSON_WORDS.some((word) => stem === word || (stem !== 'name' && areRelated(root, rootsOfPersons.get(word)!))),
  );
}

const rootsOfPersons = new Map(PERSON_WORDS.map((word) => [word, wordsOf(word)[0]!.root]));
