/** What lists know about somebody or something. Further ones are named after the words of a text: "open:publish". */
export type Attribute = string;

interface Described {
  attribute: Attribute;
  /** Relations of the reader that state it. */
  relations: readonly string[];
  /** Stems of words that a column asks for it by. */
  asked: readonly string[];
}

/** Nearest first: the first whose words a column has is asked for. */
const DESCRIBED: readonly Described[] = [
  {
    attribute: 'birth_date',
    relations: ['birth_date'],
    asked: ['date of birth', 'birth date', 'birthdate', 'birthday', 'born', 'year of birth', 'birth year', 'dob'],
  },
  {
    attribute: 'birth_place',
    relations: ['born_in'],
    asked: ['place of birth', 'birthplace', 'birth place', 'born in', 'hometown', 'home town', 'where they were born'],
  },
  {
    attribute: 'death_date',
    relations: ['death_date'],
    asked: ['date of death', 'death date', 'died', 'year of death', 'death', 'when they died'],
  },
  { attribute: 'death_place', relations: ['died_in'], asked: ['place of death', 'where they died'] },
  { attribute: 'founder', relations: ['founded_by'], asked: ['founder', 'founders', 'founded by', 'who founded'] },
  {
    attribute: 'founded',
    relations: ['founded_date'],
    asked: [
      'founded',
      'year founded',
      'founding',
      'foundation',
      'established',
      'establishment',
      'formed',
      'formation',
      'started',
      'inception',
      'opened',
      'since when',
    ],
  },
  {
    attribute: 'headquarters',
    relations: ['headquarters', 'located_in', 'founded_in'],
    asked: ['headquarters', 'headquartered', 'head office', 'seat', 'hq', 'base', 'based'],
  },
  {
    attribute: 'nationality',
    relations: ['nationality', 'country'],
    asked: ['nationality', 'nationalities', 'country', 'citizenship', 'country of origin'],
  },
  {
    attribute: 'location',
    relations: ['lives_in', 'located_in', 'headquarters'],
    asked: ['location', 'city', 'place', 'where', 'residence', 'lives', 'office'],
  },
  {
    attribute: 'education',
    relations: ['educated_at'],
    asked: ['education', 'university', 'school', 'alma mater', 'college', 'studied', 'degree'],
  },
  {
    attribute: 'employer',
    relations: ['works_for'],
    asked: ['employer', 'company', 'organisation', 'organization', 'works for', 'affiliation', 'institution'],
  },
  {
    attribute: 'team',
    relations: ['member_of', 'works_for', 'play_for', 'play_in', 'sign_with'],
    asked: ['team', 'club', 'band', 'group', 'side'],
  },
  { attribute: 'party', relations: ['political_affiliation', 'member_of'], asked: ['party', 'political party'] },
  { attribute: 'spouse', relations: ['spouse'], asked: ['spouse', 'wife', 'husband', 'partner', 'married to'] },
  { attribute: 'parent', relations: ['child_of'], asked: ['parents', 'father', 'mother'] },
  { attribute: 'child', relations: ['parent_of'], asked: ['children', 'son', 'daughter'] },
  {
    attribute: 'owner',
    relations: ['owned_by', 'subsidiary_of'],
    asked: ['owner', 'owned by', 'parent company', 'parent', 'proprietor'],
  },
  {
    attribute: 'leader',
    relations: ['ceo', 'led_by', 'president', 'director'],
    asked: ['ceo', 'chief executive', 'head', 'leader', 'president', 'director', 'chairman'],
  },
  {
    attribute: 'role',
    relations: ['has_role'],
    asked: [
      'role',
      'job',
      'job title',
      'profession',
      'professions',
      'occupation',
      'position',
      'title',
      'work',
      'what they do',
    ],
  },
  {
    attribute: 'industry',
    relations: ['is_a'],
    asked: [
      'industry',
      'sector',
      'business',
      'kind',
      'type',
      'what they make',
      'products',
      'product',
      'genre',
      'field',
    ],
  },
  { attribute: 'employees', relations: [], asked: ['employees', 'size', 'headcount', 'staff', 'number of employees'] },
  {
    attribute: 'known_for',
    relations: ['know_for'],
    asked: ['known for', 'famous for', 'best known for', 'works', 'notable'],
  },
  { attribute: 'language', relations: [], asked: ['language', 'languages'] },
  { attribute: 'skill', relations: [], asked: ['skill', 'skills', 'expertise', 'topic', 'topics'] },
  { attribute: 'experience_years', relations: [], asked: ['years of experience', 'experience'] },
  { attribute: 'email', relations: [], asked: ['email', 'e-mail', 'mail address'] },
  { attribute: 'website', relations: [], asked: ['website', 'url', 'homepage'] },
];

/** The attributes that one relation of the reader states. */
export function attributesOf(relation: string, isOpen: boolean): Attribute[] {
  const known = DESCRIBED.filter(({ relations }) => relations.includes(relation)).map(({ attribute }) => attribute);
  return known.length > 0 ? known : [`${isOpen ? 'open' : 'said'}:${relation}`];
}

const FILLERS =
  /\b(?:the|their|its|his|her|an?|current|they|it|were|was|are|is|who|when|where|which|what|year|years|full|exact|date|city|town|name|names|of)\b/g;

function plainName(column: string): string {
  return column.toLowerCase().replace(/[_-]+/g, ' ').replace(/\s+/g, ' ').trim();
}

function withoutFillers(name: string): string {
  return name.replace(FILLERS, ' ').replace(/\s+/g, ' ').trim();
}

function named(column: string): Attribute | null {
  const plain = plainName(column);
  const exact = DESCRIBED.find(({ asked }) => asked.includes(plain));
  const bare = withoutFillers(plain);
  return (exact ?? DESCRIBED.find(({ asked }) => asked.some((words) => words === bare)))?.attribute ?? null;
}

/** Whether a text is nothing but the name of a known attribute: "the year they were founded". */
export function isAttributeName(column: string): boolean {
  return named(column) !== null;
}

/** The attribute that a column asks for; null when its words are none of a known one. */
export function requestedAttribute(column: string): Attribute | null {
  const exact = named(column);
  if (exact !== null) return exact;
  const plain = ` ${plainName(column)} `;
  const within = DESCRIBED.flatMap(({ attribute, asked }) =>
    asked.filter((words) => plain.includes(` ${words} `)).map((words) => ({ attribute, length: words.length })),
  );
  return within.sort((a, b) => b.length - a.length)[0]?.attribute ?? null;
}
