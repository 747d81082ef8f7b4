import { BRACKETED } from '../tree/sentence-parser.ts';
import type { DateSpan, DateValue } from '../text/dates.ts';
import type { SentenceView } from './view.ts';

/** How a time bounds what is said of it. */
type Bound = 'since' | 'after' | 'until' | 'before' | 'between' | 'at';

/** A date, or a word or clause that stands for one, with the predicate whose time it is. */
interface Time {
  /** Its first token and the one after its last. */
  from: number;
  to: number;
  value: DateValue;
  bound: Bound;
  /** Tokens from the time up to its predicate, which is the last; empty when the tree leads to no predicate. */
  path: readonly number[];
}

/** When something holds. `at`: a time with no bound, on which what changes begins or ends. */
export interface Period {
  since?: string;
  until?: string;
  at?: DateValue;
}

const BOUNDS: ReadonlyMap<string, Bound> = new Map(
  Object.entries<Bound>({
    since: 'since',
    from: 'since',
    'as of': 'since',
    starting: 'since',
    beginning: 'since',
    effective: 'since',
    after: 'after',
    following: 'after',
    until: 'until',
    till: 'until',
    through: 'until',
    before: 'before',
    'prior to': 'before',
    between: 'between',
  }),
);
/** What joins the two ends of a period. */
const DASHES = new Set(['-', '–', '—', '--']);
const JOINS = new Set(['to', 'until', 'till', 'through', 'and', ...DASHES]);
const PAST_WORDS = new Set('former formerly ex previously once late onetime then-'.split(' '));
const POINTING = new Set(['that', 'this']);
const ASIDES = new Set(['appos', 'parataxis', 'advcl', 'acl', 'acl:relcl', BRACKETED]);
const OPENINGS = new Set([',', '(', '–', '—']);
const PRESENT_TAGS = new Set(['VBZ', 'VBP', 'MD']);
const FINITE_TAGS = new Set(['VBD', 'VBZ', 'VBP', 'MD']);
const RELATIVE_TAGS = new Set(['WP', 'WDT', 'WRB']);
const DETERMINERS = new Set(['DT', 'JJ', 'PDT', 'RB']);
const CLIMB_MAX = 30;

/** The times of a sentence and what they are times of, by its tree. */
export class Times {
  private readonly view: SentenceView;
  private readonly times: Time[] = [];

  constructor(view: SentenceView) {
    this.view = view;
    for (let i = 0; i < view.tokens.length; i++) {
      const date = view.dateAt(i);
      if (date !== null && date.from === i) this.note(i, date.to, date.value);
      else if (date === null) this.pointer(i);
    }
    for (const { index, label } of view.tokens) if (label === 'advcl') this.clause(index);
    const last = this.times.at(-1);
    if (last !== undefined) view.discourse.time = instantOf(last);
  }

  /** When what the predicate says holds, from the times beside it. */
  of(predicate: number): Period {
    const own = this.times.filter((time) => time.path.at(-1) === predicate && !this.isApart(time, predicate));
    if (own.length > 0) return periodOf(own);
    // A time that the tree attaches to nothing is that of the clause in which it stands.
    const isApart = (time: Time) => (predicate < 0 ? this.hasClauses() : this.isApart(time, predicate));
    return periodOf(this.times.filter((time) => time.path.length === 0 && !isApart(time)));
  }

  /** The day that a date beside a predicate is: null if it bounds a period, or is another clause's. */
  dayOf(date: DateSpan, predicate: number): DateValue | null {
    const time = this.times.find(({ from }) => from === date.from);
    const isDay = time === undefined || (time.bound === 'at' && !this.isApart(time, predicate));
    return isDay ? date.value : null;
  }

  /** Of a noun: the times inside its phrase, or, of a predicate's noun, those of its clause. */
  ofNoun(noun: number): Period {
    const inside = this.times.filter((time) => time.path.includes(noun) && !this.isApart(time, noun));
    if (inside.length > 0) return periodOf(inside);
    const clause = this.clauseOf(noun);
    return clause >= 0 && this.view.hasKid(clause, 'cop') ? this.of(clause) : {};
  }

  /**
   * Whether a time stands in another clause than a predicate, by the words between them: the tree may be wrong there. A
   * time that the tree attaches is so behind a semicolon, before the "and" of a predicate whose list it is not in, or,
   * if it ends what holds now, behind another finite verb.
   */
  private isApart({ from, to, bound, path }: Time, predicate: number): boolean {
    const { view } = this;
    const isAfter = from > predicate;
    const between = isAfter ? range(predicate + 1, from) : range(to, predicate);
    if (between.some((k) => view.form(k) === ';')) return true;
    const isOther = (k: number) => this.isFinite(k) && view.tokens[k]!.head !== predicate;
    const joined = view.kids(predicate, 'cc').some((k) => k >= to);
    if (joined && range(0, from).some((k) => this.isFinite(k))) return true;
    const ends = (bound === 'until' || bound === 'before') && this.isPresent(predicate);
    if (path.length > 0 && !(isAfter && ends)) return false;
    return between.some((k) => isOther(k) || (!isAfter && RELATIVE_TAGS.has(view.tag(k))));
  }

  private hasClauses(): boolean {
    return this.view.tokens.filter(({ index }) => this.isFinite(index)).length > 1;
  }

  private isFinite(k: number): boolean {
    const { view } = this;
    return FINITE_TAGS.has(view.tag(k)) && view.nameAt[k] === null;
  }

  /** The predicate of the clause that a token is in; −1 when it is in none. */
  clauseOf(i: number): number {
    return this.pathFrom(i).at(-1) ?? -1;
  }

  private pathFrom(from: number): number[] {
    const { tokens } = this.view;
    const path: number[] = [];
    for (let i = from; i >= 0 && path.length < CLIMB_MAX; i = tokens[i]!.head) {
      path.push(i);
      if (this.isPredicate(i)) return path;
    }
    return [];
  }

  private isPredicate(i: number): boolean {
    const { view } = this;
    const { verb, label, noun } = view.tokens[i]!;
    if (verb && !label.startsWith('aux') && label !== 'cop' && label !== 'amod') return true;
    return view.hasKid(i, 'cop') || (noun && view.dateAt(i) === null && ASIDES.has(label));
  }

  private note(from: number, to: number, value: DateValue): void {
    const { view } = this;
    const before = this.times.at(-1);
    if (before !== undefined && this.joins(before, from)) {
      this.times.push({ from, to, value, bound: 'until', path: before.path });
      if (before.bound === 'at' || before.bound === 'between') before.bound = 'since';
      return;
    }
    if (view.lower(from - 1) === 'when') return;
    const head = this.phraseHead(from, to);
    const above = view.tokens[head]!.head;
    this.times.push({
      from,
      to,
      value,
      bound: this.boundOf(from, head),
      path: this.pathFrom(this.asideOf(from, above)),
    });
    this.relative(to, value);
  }

  /** "X, head of Y since 2019, …": what stands inside an aside is of its noun, whatever before it the tree names. */
  private asideOf(from: number, above: number): number {
    const { view } = this;
    let aside = above;
    for (let k = from - 1; k > above && !this.isFinite(k); k--) {
      if (OPENINGS.has(view.form(k))) return aside;
      const { noun, label } = view.tokens[k]!;
      if (noun && ASIDES.has(label)) aside = k;
    }
    return above;
  }

  /** "from A to B", "between A and B", "A–B". */
  private joins(before: Time, from: number): boolean {
    const { view } = this;
    const word = view.lower(before.to);
    if (!JOINS.has(word) || before.bound === 'until' || before.bound === 'before') return false;
    if (before.bound === 'at' && !DASHES.has(word)) return false;
    if (word === 'and' && before.bound !== 'between') return false;
    return this.startOf(from) <= before.to + 1;
  }

  /** The first word of "the end of 2016". */
  private startOf(from: number): number {
    const { view } = this;
    let i = from;
    if (view.lower(i - 1) === 'of' && view.tag(i - 2).startsWith('NN')) i -= 2;
    while (i > 0 && DETERMINERS.has(view.tag(i - 1))) i--;
    return i;
  }

  /** The token of the time's phrase that hangs on what is outside of it; of "the end of 2016", the noun. */
  private phraseHead(from: number, to: number): number {
    const { tokens } = this.view;
    let head = from;
    while (head + 1 < to && tokens[head]!.head >= from && tokens[head]!.head < to) head++;
    const above = tokens[head]!.head;
    return above === this.startOf(from) || (above === from - 2 && this.startOf(from) < from) ? above : head;
  }

  /** By the preposition in the tree, or else by the word before the phrase. */
  private boundOf(from: number, head: number): Bound {
    const { view } = this;
    const start = this.startOf(from);
    const near = view.lower(start - 1);
    const said = BOUNDS.get(near === 'of' || near === 'to' ? `${view.lower(start - 2)} ${near}` : near);
    return said ?? BOUNDS.get(view.preposition(head)) ?? 'at';
  }

  /** "until 2012, when he moved": the clause has the date for its time. */
  private relative(to: number, value: DateValue): void {
    const { view } = this;
    const at = view.form(to) === ',' ? to + 1 : to;
    if (view.lower(at) !== 'when') return;
    this.times.push({ from: at, to: at + 1, value, bound: 'at', path: this.pathFrom(view.tokens[at]!.head) });
  }

  /** "until then", "before that": the time that was spoken of last. */
  private pointer(i: number): void {
    const { view } = this;
    const isThen = view.lower(i) === 'then';
    if (!isThen && !(POINTING.has(view.lower(i)) && view.tag(i) === 'DT')) return;
    const bound = BOUNDS.get(view.lower(i - 1));
    if (bound === undefined || bound === 'between') return;
    // "Before that meeting" is another time than "before that year".
    const isAlone = isThen || !view.tokens[view.tokens[i]!.head]?.noun || view.tokens[i]!.label !== 'det';
    const last = this.times.at(-1);
    const day = last === undefined ? view.discourse.time : instantOf(last);
    if (day === null || !isAlone) return;
    const path = this.pathFrom(view.tokens[i]!.head);
    this.times.push({ from: i, to: i + 1, value: { from: day, to: day }, bound, path });
  }

  /** "since she left Vienna in 2003": a clause stands for its own date. */
  private clause(v: number): void {
    const { view } = this;
    const marks = [...view.kids(v, 'mark', 'case', 'advmod')].map((k) => BOUNDS.get(view.lower(k)));
    const bound = marks.find((mark) => mark !== undefined && mark !== 'between');
    const { at } = this.of(v);
    const above = this.clauseOf(view.tokens[v]!.head);
    if (bound === undefined || at === undefined || above < 0) return;
    if (this.times.some(({ path }) => path.at(-1) === above)) return;
    this.times.push({ from: v, to: v + 1, value: at, bound, path: [above] });
  }

  /** Whether the clause of a predicate says what holds now, or what will. */
  isPresent(predicate: number): boolean {
    const { view } = this;
    if (predicate < 0) return false;
    // "Has been at X and led Y": the tree may hang the first auxiliary on the second verb.
    const [joint = -1] = view.kids(predicate, 'cc').filter((k) => k < predicate);
    const isOwn = (k: number) => k > joint && isAuxiliary(view.tokens[k]!.label);
    const verbs = [predicate, ...view.tokens[predicate]!.children.filter(isOwn)];
    return verbs.some((k) => PRESENT_TAGS.has(view.tag(k)));
  }

  hasPastWord(i: number): boolean {
    const { view } = this;
    const isPast = (k: number) =>
      PAST_WORDS.has(view.lower(k)) || (view.lower(k) === 'longer' && view.lower(k - 1) === 'no');
    return view.tokens[i]!.children.some(isPast) || isPast(i - 1);
  }
}

function isAuxiliary(label: string): boolean {
  return label.startsWith('aux') || label === 'cop';
}

/** The day that "then" points to: a period's end, or the day on which something began. */
function instantOf({ value, bound }: Time): string {
  return bound === 'until' || bound === 'after' ? value.to : value.from;
}

function periodOf(times: readonly Time[]): Period {
  const period: Period = {};
  for (const { bound, value } of times) {
    if (bound === 'since' || bound === 'between') period.since ??= value.from;
    else if (bound === 'after') period.since ??= value.to;
    else if (bound === 'until') period.until ??= value.to;
    else if (bound === 'before') period.until ??= value.from;
    else period.at ??= value;
  }
  // What ends before it begins is no period: its ends belong to two clauses.
  const { since, until } = period;
  return since !== undefined && until !== undefined && since > until ? {} : period;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
