import { stemOf } from '../text/words.ts';

/**
 * What is spoken of under the heads by which reports are ordered. A topic asked for in general words ("the financial
 * situation") is answered by texts that use other ones ("revenue", "order intake").
 */
const TOPICS: readonly (readonly [heads: string, members: string])[] = [
  [
    'finance financial finances economic economics figures business performance results',
    'revenue turnover sales profit loss earnings ebit ebitda margin income cost costs expenses expenditure cash debt liabilities equity assets budget forecast intake backlog dividend tax fiscal annual figures accounts balance invoice invoices growth euro dollar liquidity audit',
  ],
  [
    'funding investment investments investors capital financing shareholders ownership owners',
    'round series seed raised raise investor lead led valuation stake share shares equity loan grant fund funds venture ventures capital owner shareholder bank credit',
  ],
  [
    'staff personnel team people workforce employees headcount hr organisation organization management leadership',
    'employ employed employee hire hired hiring vacancy salary turnover headcount ceo cfo coo cto director manager head chair board president founder colleagues full-time',
  ],
  [
    'product products portfolio offering range services',
    'model module version launch launched feature features specification throughput capacity article item price design release prototype certification licence patent roadmap catalogue',
  ],
  ['price prices pricing cost costs fees tariffs', 'price list discount fee tariff charge rate rebate expensive cheap'],
  [
    'plan plans outlook strategy goals objectives targets future roadmap next',
    'target goal aim objective forecast budget expected planned plans intends schedule launch launched milestone deadline will scheduled upcoming roadmap expansion',
  ],
  [
    'operation operations operational production manufacturing service delivery logistics',
    'plant plants site sites installed availability uptime downtime outage output capacity throughput churn maintenance delivery deliveries stock supplier suppliers shift yield fleet reliability incident incidents',
  ],
  [
    'risk risks threats weaknesses dangers problems issues challenges concerns exposure',
    'failure failed fault faulty leak leaks incident incidents accident outage delay delays breach loss lawsuit litigation penalty penalties fine claim recall dependency dependence depend concentration shortage complaint complaints threat critical defect defects error postponed stood risk warning disruption',
  ],
  [
    'customer customers clients market markets sales demand',
    'customer client contract contracts renewal renewed churn order orders segment region competitor competitors share tender complaint satisfaction export',
  ],
  ['competition competitors rivals market', 'competitor rival share alternative leader compared rank position'],
  [
    'legal law compliance regulation regulatory contracts',
    'contract clause lawsuit court claim licence permit certification certified audit regulation law gdpr liability patent obligation penalty',
  ],
  [
    'safety security incidents accidents quality',
    'incident accident injury injuries breach failure alarm inspection audit defect recall certified certification fault leak outage vulnerability complaint',
  ],
  [
    'history background origin development',
    'founded established began opened moved merged acquired renamed since formerly first built',
  ],
  [
    'technology technical architecture infrastructure system',
    'system software hardware server database platform version protocol network interface component design',
  ],
  [
    'location locations premises offices sites',
    'headquarters office site building located based city address plant branch',
  ],
];

const stemsIn = (words: string): Set<string> => new Set(words.split(' ').map(stemOf));
const GROUPS = TOPICS.map(([heads, members]) => ({ heads: stemsIn(heads), members: stemsIn(`${heads} ${members}`) }));

/** Stems of words that texts use where a request uses the given one. */
export function relatedStems(stem: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { heads, members } of GROUPS) if (heads.has(stem)) for (const member of members) found.add(member);
  return found;
}

const WORDS = TOPICS.map(([heads, members]) => ({ heads: stemsIn(heads), words: members.split(' ') }));

/** Words that texts use where a request uses a word of this stem. */
export function relatedWords(stem: string): string[] {
  return WORDS.flatMap(({ heads, words }) => (heads.has(stem) ? words : []));
}

const GENERAL = stemsIn(
  'situation status state overview information detail details aspect aspects background position matter matters topic topics question questions general summary key main important relevant respective current currently overall company firm organisation organization exact',
);

/** Whether a word of a request says nothing about what is looked for: "situation", "aspects". */
export function isGeneralStem(stem: string): boolean {
  return GENERAL.has(stem);
}
