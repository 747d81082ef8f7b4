import { BRACKETED } from '../tree/sentence-parser.ts';
import type { DateSpan } from '../text/dates.ts';
import type { Clauses } from './clauses.ts';
import type { Mention } from './relation.ts';
import { isRoleNoun, type Roles } from './roles.ts';
import {
  ATTRIBUTES,
  FOUNDER_NOUNS,
  isChiefExecutive,
  kinshipOf,
  NOMINALISATIONS,
  NOMINALS,
  PART_NOUNS,
} from '../vocabulary/word-classes.ts';
import { validityOfClause } from './validity.ts';
import { isPerson, type SentenceView } from './view.ts';

const LABEL_TAGS = new Set(['NN', 'NNS', 'JJ', 'VBG', 'HYPH']);
const COPULAS = new Set(['is', 'was', 'are', 'were']);
const FILLERS = new Set('now currently still also the in at on'.split(' '));
const MAIN_OFFICES = new Set(['head', 'main', 'corporate']);
const ROLE_LEADS = new Set(
  (
    'is was became remains be been has had , also currently now the a an as serves served serving who acting former ' +
    'current then founding'
  ).split(' '),
);
const NO_EMPLOYEES = new Set('student graduate alumnus alumna member supporter fan founder'.split(' '));
const DATED = ['date', 'day', 'year', 'birth', 'death', 'found'];

const LIFE_YEARS_MIN = 10;

/** Years in brackets after a name are a life if they are far enough apart; of a thing, only days are not its own years. */
function mayBeLife(name: Mention, first: DateSpan, second: DateSpan): boolean {
  const year = ({ value }: DateSpan) => Number(value.from.slice(0, 4));
  if (year(second) - year(first) < LIFE_YEARS_MIN) return false;
  return isPerson(name) || (isDay(first) && isDay(second));
}

function isDay({ value }: DateSpan): boolean {
  return value.from === value.to;
}

/** Relations that nouns say: copulas, appositions, possessors, headquarters, nominalisations, brackets. */
export class NounReader {
  private readonly clauses: Clauses;
  private readonly roles: Roles;
  private readonly view: SentenceView;

  constructor(clauses: Clauses, roles: Roles) {
    this.clauses = clauses;
    this.roles = roles;
    this.view = clauses.view;
  }

  read(): void {
    const { view } = this;
    for (const [i, name] of this.clauses.apposed)
      for (const role of view.listed(i))
        if (view.tokens[role]!.noun && view.nameAt[role] === null) this.roles.say(role, [view.mentionOf(name)], 0.8);
    for (const token of view.tokens) if (token.noun) this.noun(token.index);
    for (const token of view.tokens) if (COPULAS.has(token.lower)) this.attribute(token.index);
    for (const token of view.tokens) {
      if (!token.noun) continue;
      this.headquarters(token.index);
      this.nominalisation(token.index);
    }
    for (const name of view.names) {
      const mention = view.mentionOf(name);
      this.roleAfter(mention);
      this.brackets(mention);
    }
  }

  private noun(i: number): void {
    const { view } = this;
    const token = view.tokens[i]!;
    this.copula(i);
    const named = view.nameAt[i] !== null;
    if (token.label === BRACKETED && token.head >= 0 && !named) {
      const about = view.mention(token.head);
      if (about?.kind === 'name') for (const role of this.nounsOf(i)) this.roles.say(role, [about], 0.7);
    }
    if (token.label === 'appos' && token.head >= 0 && !this.clauses.apposed.has(i)) this.apposition(i, token.head);
    const head = token.label === 'conj' && token.head >= 0 ? (view.nameAt[token.head] ?? null) : null;
    if (head?.type === 'person' && !named && view.kind(i) === 'person' && view.form(head.to) === ',')
      this.roles.say(i, [view.mentionOf(head)], 0.6);
    if (!named) this.beforeName(i);
  }

  private nounsOf(i: number): number[] {
    return this.view.listed(i).filter((k) => this.view.tokens[k]!.noun);
  }

  private copula(i: number): void {
    const { view } = this;
    const subject = view.subjectOf(i);
    if (subject === undefined || !view.hasKid(i, 'cop') || view.negated(i) || view.preposition(i) !== '') return;
    const who = this.clauses.subjects(subject, i);
    for (const role of this.nounsOf(i)) this.roles.say(role, who, 0.85);
    const value = view.mention(i);
    if (value?.kind === 'name' && view.nameAt[subject] === null)
      for (const role of view.listed(subject)) this.roles.say(role, [value], 0.8);
  }

  private apposition(i: number, head: number): void {
    const { view } = this;
    const above = view.mention(head);
    const own = view.mention(i);
    if (above?.kind === 'name' && view.nameAt[i] === null)
      for (const role of view.listed(i)) this.roles.say(role, [above], 0.8);
    if (own?.kind === 'name' && view.nameAt[head] === null)
      this.roles.say(
        head,
        view.listed(i).flatMap((k) => view.mention(k) ?? []),
        0.8,
      );
  }

  /** "CEO Tim Cook", "his wife Mary", "his wife, Mary": a noun right before a name. */
  private beforeName(i: number): void {
    const { view } = this;
    const { lemma } = view.tokens[i]!;
    const kin = kinshipOf(lemma) !== undefined;
    const next = view.nameAt[i + 1] ?? (view.form(i + 1) === ',' && kin ? (view.nameAt[i + 2] ?? null) : null);
    if (next === null || (next.from !== i + 1 && next.from !== i + 2)) return;
    const role = isRoleNoun(view, i);
    if (!role && !PART_NOUNS.has(lemma) && !NOMINALS.has(lemma)) return;
    const mention = view.mentionOf(next);
    if (isPerson(mention) !== role) return;
    const all = kin && view.tag(i) === 'NNS' ? this.personsFrom(i, mention) : [mention];
    this.roles.say(i, all, 0.75);
    this.roles.before(i, all);
  }

  /** "her sons Ole, Per and Jan": whoever is listed after a plural. */
  private personsFrom(i: number, first: Mention): Mention[] {
    const { view } = this;
    const heads = new Set([...view.listed(i), ...view.listed(this.headOf(first))]);
    const others = [...heads].flatMap((k) =>
      view.nameAt[k]?.type === 'person' ? [view.mentionOf(view.nameAt[k]!)] : [],
    );
    return [first, ...others.filter(({ from }) => from > first.from)];
  }

  /** The token of a name that the others hang on. */
  private headOf({ from, to }: Mention): number {
    const { tokens } = this.view;
    for (let k = from; k < to; k++) if (tokens[k]!.head < from || tokens[k]!.head >= to) return k;
    return from;
  }

  /** "The CEO of X is Y", "X's headquarters are in Y": by places, around the copula. */
  private attribute(i: number): void {
    const { view } = this;
    const label = this.labelBefore(i);
    if (label === null) return;
    const { owner, from, to } = label;
    const words = view.tokens.slice(from, to).filter(({ tag }) => tag !== 'DT');
    if (!words.some(({ noun }) => noun)) return;
    const name = words.map(({ lower }) => lower).join('_');
    let j = i + 1;
    while (FILLERS.has(view.lower(j))) j++;
    if (view.lower(j) === 'not') return;
    const relation = ATTRIBUTES.get(name) ?? name;
    const date = view.dateAt(j);
    if (date !== null && DATED.some((part) => name.includes(part))) {
      const dated = relation.endsWith('_date') ? relation : `${relation}_date`;
      view.add(owner, dated, view.dateArgument(date), { confidence: 0.85 });
      return;
    }
    const value = view.nameAt[j]?.from === j ? view.mention(j) : null;
    if (value === null || value.text === owner.text) return;
    const validity = validityOfClause(this.clauses, i);
    if (relation === 'headquarters')
      for (const place of view.placesOf(j)) view.add(owner, relation, place, { confidence: 0.85, validity });
    else if (relation === 'parent_of') view.add(value, 'child_of', owner);
    else view.add(owner, relation, value, { confidence: 0.85, validity });
  }

  private labelBefore(i: number): { owner: Mention; from: number; to: number } | null {
    const { view } = this;
    const before = view.nameAt[i - 1] ?? null;
    const isLabel = (a: number) => view.nameAt[a] === null && LABEL_TAGS.has(view.tag(a));
    if (before !== null) {
      let of = before.from - 1;
      if (view.lower(of) === 'the') of--;
      if (!['of', 'for', 'at'].includes(view.lower(of))) return null;
      let from = of;
      while (from > 0 && of - from < 5) {
        const inner =
          view.lower(from - 1) === 'of' && view.tag(from - 2).startsWith('NN') && view.nameAt[from - 2] === null;
        if (!isLabel(from - 1) && !inner && !(view.tag(from - 1) === 'NNP' && view.nameAt[from - 1] === null)) break;
        from--;
      }
      return from < of ? { owner: view.mentionOf(before), from, to: of } : null;
    }
    if (!view.tag(i - 1).startsWith('NN')) return null;
    let from = i;
    while (from > 0 && i - from < 5 && (isLabel(from - 1) || (view.lower(from - 1) === 'of' && from - 1 < i - 1)))
      from--;
    if (view.tag(from - 1) !== 'POS') return null;
    const owner = view.nameAt[from - 2] ?? null;
    return owner !== null && from < i ? { owner: view.mentionOf(owner), from, to: i } : null;
  }

  /** "the headquarters of X in Y", "X's head office in Y" */
  private headquarters(i: number): void {
    const { view } = this;
    const { lemma, label, head } = view.tokens[i]!;
    const office = lemma === 'office' && MAIN_OFFICES.has(view.lower(i - 1));
    if (!office && lemma !== 'headquarters' && lemma !== 'headquarter' && lemma !== 'hq') return;
    const above = head >= 0 ? [...view.kids(head, 'obl'), ...(label.startsWith('nsubj') ? [head] : [])] : [];
    const places = [...view.kids(i, 'nmod'), ...above].filter((k) =>
      ['in', 'at', 'near'].includes(view.preposition(k)),
    );
    const validity = validityOfClause(this.clauses, i);
    for (const owner of this.clauses.ownersOf(i))
      for (const k of places)
        for (const place of view.placesOf(k))
          if (!isPerson(place)) view.add(owner, 'headquarters', place, { validity });
  }

  private nominalisation(i: number): void {
    const { view } = this;
    const token = view.tokens[i]!;
    const event = NOMINALISATIONS.get(token.lemma);
    if (event === undefined || view.nameAt[i] !== null) return;
    const date = this.dateOfEvent(i);
    const agents = view
      .kids(i, 'nmod')
      .filter((k) => view.preposition(k) === 'by')
      .flatMap((k) => view.listed(k))
      .flatMap((k) => view.mention(k) ?? []);
    for (const owner of this.clauses.ownersOf(i)) {
      if ((event.of === 'person') !== isPerson(owner)) continue;
      if (date !== null) view.add(owner, event.date, view.dateArgument(date), { confidence: 0.75 });
      if (event.agent !== null) for (const agent of agents) view.add(owner, event.agent, agent, { confidence: 0.75 });
    }
  }

  private dateOfEvent(i: number): DateSpan | null {
    const { view } = this;
    const { head } = view.tokens[i]!;
    const near = [
      ...view.kids(i, 'nmod', 'nmod:tmod', 'obl'),
      ...(head >= 0 ? view.kids(head, 'obl', 'obl:tmod') : []),
    ];
    for (const k of near) {
      if (!['', 'in', 'on', 'at'].includes(view.preposition(k))) continue;
      const date = view.dateIn(k);
      if (date !== null) return date;
    }
    return view.dates.find(({ from }) => from > i && from - i <= 4) ?? null;
  }

  /** "X, president and CEO of Y", "X is the founder of Y" by places: for lists whose tree is wrong. */
  private roleAfter(person: Mention): void {
    const { view } = this;
    if (person.type !== 'person' && person.type !== 'other') return;
    let j = this.afterBrackets(person.to);
    const comma = view.form(j) === ',';
    if (comma) j++;
    const first = j;
    while (ROLE_LEADS.has(view.lower(j)) || (view.form(j) === ',' && j > first)) j++;
    if (!comma && j === first) return;
    const from = j;
    const link = this.roles.listAfter(from);
    if (link === null) return;
    let to = from;
    while (to < view.tokens.length && !(view.lower(to) === link.by && to > from)) to++;
    const head = to - 1;
    if (head < from || !view.tokens[head]!.noun || !isRoleNoun(view, head)) return;
    const { lemma } = view.tokens[head]!;
    const organisation = view.mention(link.head);
    if (kinshipOf(lemma) !== undefined || organisation?.kind !== 'name') return;
    if (isPerson(organisation) || organisation.type === 'place') return;
    const role = view.words(from, to);
    const parts = role.text.toLowerCase().split(/[ ,]/);
    if (parts.some((part) => FOUNDER_NOUNS.has(part)))
      view.add(organisation, 'founded_by', person, { confidence: 0.85 });
    if (isChiefExecutive(role.text)) view.add(organisation, 'ceo', person, { confidence: 0.85 });
    if (!NO_EMPLOYEES.has(lemma)) view.add(person, 'works_for', organisation, { confidence: 0.7 });
    view.add(person, 'has_role', role, { confidence: 0.8 });
  }

  private afterBrackets(at: number): number {
    const { view } = this;
    if (view.form(at) !== '(') return at;
    let j = at;
    while (j < view.tokens.length && view.form(j) !== ')') j++;
    return j + 1;
  }

  /** What brackets after a name hold: "(born 11 May 1955 in Oslo)", "(1932–2001)", "(founded 1987)". */
  private brackets(name: Mention): void {
    const { view } = this;
    let open = name.to;
    if (view.form(open) === ',' && view.form(open + 1) === '(') open++;
    // "Anna Berg, M.D. (born …)"
    else if (view.form(open) === ',' && view.form(open + 2) === '(' && view.nameAt[open + 1] === null) open += 2;
    for (let groups = 0; groups < 3 && view.form(open) === '('; groups++) {
      let close = open + 1;
      while (close < view.tokens.length && view.form(close) !== ')') close++;
      this.bracket(name, open, Math.min(close, open + 40, view.tokens.length));
      open = close + 1;
    }
  }

  private bracket(name: Mention, open: number, close: number): void {
    const { view } = this;
    const dates = view.dates.filter(({ from, to }) => from > open && to <= close);
    const [first, second] = dates;
    if (first === undefined) return;
    const has = (from: number, to: number, ...words: string[]) =>
      view.tokens.slice(from, to).some(({ lower }) => words.includes(lower));
    if (name.type === 'person' || name.type === 'other') {
      const range =
        second !== undefined &&
        mayBeLife(name, first, second) &&
        has(first.to, second.from, '-', '–', '—', '--', 'to', 'died', '†');
      const born = has(open, first.from, 'born', 'b.', 'b', 'née', 'nee');
      const [birth, death] = range
        ? [first, second]
        : born
          ? [first, null]
          : [null, has(open, close, 'died', 'd.', 'd') ? dates.at(-1)! : null];
      if (birth !== null) view.add(name, 'birth_date', view.dateArgument(birth), { confidence: 0.9 });
      if (death !== null && death !== undefined)
        view.add(name, 'death_date', view.dateArgument(death), { confidence: 0.9 });
      if (has(open, close, 'born')) this.birthPlace(name, open, close);
    }
    if (!isPerson(name) && has(open, close, 'founded', 'established', 'est.', 'est', 'formed'))
      view.add(name, 'founded_date', view.dateArgument(first));
  }

  private birthPlace(name: Mention, open: number, close: number): void {
    const { view } = this;
    for (const place of view.names) {
      if (place.from <= open || place.to > close || place.type !== 'place') continue;
      if (['in', 'at', 'near', ','].includes(view.lower(place.from - 1)))
        view.add(name, 'born_in', view.mentionOf(place));
    }
  }
}
