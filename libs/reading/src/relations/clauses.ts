import { BRACKETED } from '../tree/sentence-parser.ts';
import type { DateSpan } from '../text/dates.ts';
import type { Name } from '../names/name.ts';
import type { Mention } from './relation.ts';
import { PART_NOUNS } from '../vocabulary/word-classes.ts';
import { Times } from './times.ts';
import { isSubject, type SentenceView } from './view.ts';

/** A phrase that a verb has beside its subject and object, with its preposition. */
export interface Adjunct {
  preposition: string;
  head: number;
  agent: boolean;
}

const DEPTH_MAX = 4;
const RELATIVES = new Set(['who', 'which', 'that', 'whom']);
const NAMING_VERBS = new Set('become serve work remain name appoint elect know act'.split(' '));
const ADJUNCTS = new Set(['obl', 'obl:agent', 'obl:tmod', 'nmod', 'advmod', 'nmod:tmod', 'advcl', 'dep']);
const BARE_DATES = new Set(['obl:tmod', 'nmod:tmod']);
const NOW_WORDS = new Set('now currently originally formerly first privately family'.split(' '));
const BEFORE_VERBS = new Set(['VBD', 'VBZ', 'VBP', 'VBN', 'VB', 'MD', 'RB']);
const IS = new Set(['is', 'was']);
const OPENING_PREPOSITIONS = new Set(['in', 'on', 'at', 'near', 'by', 'to']);
const HAVE = new Set(['have', 'has', 'had', "'ve", '’ve']);
const AFTER_PARTICIPLE = new Set(['IN', 'CD', 'NNP', 'TO', 'RB', 'JJ']);
const VERBS_OF_CLAUSES = new Set(['VBD', 'VBZ', 'VBP', 'MD', 'IN', 'WP', 'WDT', 'PRP']);

/** Who does what in the clauses of a sentence: subjects found through relative clauses, lists and participles. */
export class Clauses {
  readonly view: SentenceView;
  readonly times: Times;
  /** Head of "a … noun" after "NAME," → the name. */
  readonly apposed = new Map<number, Name>();
  private readonly aboutMemo = new Map<number, Mention[]>();
  private readonly subjectMemo = new Map<number, Mention[]>();

  constructor(view: SentenceView) {
    this.view = view;
    this.times = new Times(view);
    for (const name of view.names) this.appose(name);
  }

  /** "NAME, a Norwegian maker of …", "NAME is now a maker of …": found by places and kinds, whatever the tree says. */
  private appose(name: Name): void {
    const { view } = this;
    let comma = name.to;
    if (view.form(comma) === '(') {
      while (comma < view.tokens.length && view.form(comma) !== ')') comma++;
      comma++;
    }
    if (comma + 1 >= view.tokens.length) return;
    let first = comma + 1;
    if (IS.has(view.lower(comma))) {
      while (view.tag(first) === 'RB' && view.lower(first) !== 'not') first++;
      if (!['a', 'an', 'the', 'one'].includes(view.lower(first))) return;
    } else if (view.form(comma) !== ',') return;
    const article = ['a', 'an', 'the', 'one'].includes(view.lower(first));
    const bare = view.tag(first).startsWith('NN') || view.tag(first).startsWith('JJ');
    if (!article && (!bare || (view.nameAt[first] !== null && !view.isDemonym(first)))) return;
    const head = this.appositionHead(first);
    if (head < 0 || this.apposed.has(head)) return;
    const kind = view.kind(head);
    const part = PART_NOUNS.has(view.tokens[head]!.lemma);
    const fits = view.isPersonNoun(head)
      ? name.type === 'person'
      : kind === 'place'
        ? name.type === 'place'
        : (part || kind.startsWith('organisation')) && (name.type === 'organisation' || name.type === 'other');
    if (fits) this.apposed.set(head, name);
  }

  private appositionHead(first: number): number {
    const { view } = this;
    const stop = Math.min(view.tokens.length, first + 11);
    for (let j = first; j < stop; j++) {
      const tag = view.tag(j);
      const next = view.tag(j + 1);
      if ((tag === 'NN' || tag === 'NNS') && !['NN', 'NNS', 'HYPH', 'VBN'].includes(next)) return j;
      if ([',', ';', '.', ':'].includes(view.form(j)) || VERBS_OF_CLAUSES.has(tag)) return -1;
      const last = view.nameAt[j] !== null && view.nameAt[j + 1] === null && !view.isDemonym(j) && tag === 'NNP';
      if (last && [',', '.'].includes(view.form(j + 1))) return -1;
    }
    return -1;
  }

  /** Whom a noun is said of: by its copula, as an apposition, or as what a relative clause hangs on. */
  about(i: number, depth = 0): Mention[] {
    if (depth > DEPTH_MAX || i < 0) return [];
    const known = this.aboutMemo.get(i);
    if (known !== undefined) return known;
    this.aboutMemo.set(i, []);
    const found = this.findAbout(i, depth);
    this.aboutMemo.set(i, found);
    return found;
  }

  private findAbout(i: number, depth: number): Mention[] {
    const { view } = this;
    const token = view.tokens[i]!;
    const mention = view.mention(i);
    if (mention !== null && mention.kind !== 'nominal') return [mention];
    const apposed = this.apposed.get(i);
    if (apposed !== undefined) return [view.mentionOf(apposed)];
    const subject = view.subjectOf(i);
    if (subject !== undefined && view.hasKid(i, 'cop')) return this.subjects(subject, i, depth + 1);
    if (token.label === 'appos' || token.label === 'nmod:desc') return this.about(token.head, depth + 1);
    if (token.label === 'conj' && token.head >= 0 && view.tokens[token.head]!.noun)
      return this.about(token.head, depth + 1);
    if (mention !== null) return [mention];
    const named = token.label === 'obl' || token.label === 'obj' || token.label === 'xcomp';
    if (named && token.head >= 0 && NAMING_VERBS.has(view.tokens[token.head]!.lemma))
      return this.subjectsOf(token.head, depth + 1);
    return [];
  }

  subjects(i: number, predicate: number, depth = 0): Mention[] {
    const { view } = this;
    if (RELATIVES.has(view.lower(i)) && view.tokens[predicate]!.label === 'acl:relcl')
      return this.about(view.tokens[predicate]!.head, depth + 1);
    return view.listed(i).flatMap((k) => {
      const mention = view.mention(k);
      if (mention !== null) return [mention];
      const couple = view.couple(k);
      return couple.length > 0 ? couple : this.about(k, depth + 1);
    });
  }

  /** Who does, or undergoes, what a verb says. */
  subjectsOf(v: number, depth = 0): Mention[] {
    if (depth > DEPTH_MAX || v < 0) return [];
    const known = this.subjectMemo.get(v);
    if (known !== undefined) return known;
    this.subjectMemo.set(v, []);
    let found = this.findSubjects(v, depth);
    const token = this.view.tokens[v]!;
    if (found.length === 0) found = this.subjectBefore(v);
    if (found.length === 0 && token.label === 'advcl' && token.head >= 0)
      found = this.subjectsOf(token.head, depth + 1);
    this.subjectMemo.set(v, found);
    return found;
  }

  private findSubjects(v: number, depth: number): Mention[] {
    const { view } = this;
    const token = view.tokens[v]!;
    const subject = view.subjectOf(v);
    if (subject !== undefined) return this.subjects(subject, v, depth + 1);
    const opening = this.subjectOfOpening(v);
    if (opening !== null) return [view.mentionOf(opening)];
    const reduced = this.reduced(v);
    if (reduced !== null) return [view.mentionOf(reduced)];
    if (token.head < 0) return this.subjectAfter(v, depth);
    const head = view.tokens[token.head]!;
    const above = () => (head.verb ? this.subjectsOf(token.head, depth + 1) : this.about(token.head, depth + 1));
    switch (token.label) {
      case 'conj':
      case 'xcomp':
      case 'advcl':
      case 'ccomp':
      case 'dep':
        return above();
      case 'parataxis': {
        const found = above();
        return found.length > 0 ? found : this.subjectAfter(v, depth);
      }
      case BRACKETED:
      case 'acl':
      case 'acl:relcl':
      case 'amod':
        return this.about(token.head, depth + 1);
      default:
        return [];
    }
  }

  /** "Born in Oslo, X moved": a participle that begins the sentence has the name after the comma for its subject. */
  private subjectOfOpening(v: number): Name | null {
    const { view } = this;
    if (v > 1 || view.tag(v) !== 'VBN') return null;
    for (let i = v + 2; i < view.tokens.length && i < v + 16; i++) {
      if (view.form(i) !== ',') continue;
      const from = view.lower(i + 1) === 'the' ? i + 2 : i + 1;
      const name = view.nameAt[from] ?? null;
      if (name === null || name.from !== from) continue;
      const next = view.tokens[name.to];
      if (next !== undefined && (next.verb || next.tag === 'MD' || next.lower === 'also')) return name;
    }
    return null;
  }

  /** The name right before the verb's group, or before ", who": where the tree has no subject. */
  private subjectBefore(v: number): Mention[] {
    const { view } = this;
    let i = v - 1;
    while (i > 0 && (view.tokens[i]!.head === v || view.tag(i) === 'RB') && BEFORE_VERBS.has(view.tag(i))) i--;
    if (RELATIVES.has(view.lower(i))) {
      i--;
      if (view.form(i) === ',') i--;
    } else if (i === v - 1 && view.tag(v) === 'VBN') return [];
    const name = view.nameAt[i] ?? null;
    return name !== null && name.to === i + 1 ? [view.mentionOf(name)] : [];
  }

  /** "Born in Oslo, X …": the subject follows; or a name stands right before. */
  private subjectAfter(v: number, depth: number): Mention[] {
    const { view } = this;
    const token = view.tokens.find(
      ({ index, label }) => index > v && label.startsWith('nsubj') && view.nameAt[index] !== null,
    );
    if (token !== undefined) return this.subjects(token.index, token.head, depth + 1);
    const near = view.names.find((name) => name.to <= v && v - name.to <= 3 && name.type === 'person');
    return near === undefined ? [] : [view.mentionOf(near)];
  }

  /** The name that ", founded in 1994," follows. */
  private reduced(v: number): Name | null {
    const { view } = this;
    const { tag } = view.tokens[v]!;
    if (tag !== 'VBN' && tag !== 'VBD') return null;
    let comma = v - 1;
    if (NOW_WORDS.has(view.lower(comma))) comma--;
    if (view.form(comma) !== ',' || !AFTER_PARTICIPLE.has(view.tag(v + 1))) return null;
    if (view.tokens[v]!.children.some((k) => k > v && isSubject(view.tokens[k]!.label))) return null;
    const before = view.nameAt[comma - 1] ?? null;
    if (before !== null || view.form(comma - 1) !== ')') return before;
    let open = comma - 1;
    while (open >= 0 && view.form(open) !== '(') open--;
    return view.nameAt[open - 1] ?? null;
  }

  isPassive(v: number, depth = 0): boolean {
    const { view } = this;
    const token = view.tokens[v]!;
    if (token.tag !== 'VBN' && token.tag !== 'VBD') return false;
    if (this.reduced(v) !== null && !view.kids(v, 'obj').some((k) => view.dateAt(k) === null)) return true;
    const has = (label: string) => view.hasKid(v, label);
    if (has('aux:pass') || has('nsubj:pass') || has('obl:agent')) return true;
    if (token.label === 'acl' || token.label === 'amod') return true;
    const auxiliaries = token.children.filter((k) => view.tokens[k]!.label.startsWith('aux'));
    if (auxiliaries.some((k) => HAVE.has(view.lower(k)))) return false;
    const subject = view.subjectOf(v) !== undefined;
    if (
      token.label === 'conj' &&
      token.head >= 0 &&
      !subject &&
      depth < DEPTH_MAX &&
      this.isPassive(token.head, depth + 1)
    )
      return true;
    return token.tag === 'VBN' && !subject && auxiliaries.length === 0 && !has('obj');
  }

  /** What stands with which preposition beside a verb; what hangs on its object may be the verb's as well. */
  adjuncts(v: number): Adjunct[] {
    const { view } = this;
    const found: Adjunct[] = [];
    for (const k of view.tokens[v]!.children) {
      const { label } = view.tokens[k]!;
      if (!ADJUNCTS.has(label)) continue;
      const preposition = view.preposition(k);
      const loose = label === 'advmod' || label === 'advcl';
      if (preposition === '' && loose && view.dateAt(k) === null) continue;
      if (preposition === '' && BARE_DATES.has(label) && view.dateIn(k) === null) continue;
      for (const c of view.listed(k)) {
        const own = c === k ? preposition : view.preposition(c) || preposition;
        found.push({ preposition: own, head: c, agent: label === 'obl:agent' || preposition === 'by' });
      }
    }
    this.following(v, found);
    for (const o of view.kids(v, 'obj', 'obl', 'obl:agent', 'xcomp'))
      for (const c of view.listed(o))
        for (const k of view.tokens[c]!.children) {
          const { label } = view.tokens[k]!;
          if (!label.startsWith('nmod') || label === 'nmod:poss') continue;
          const preposition = view.preposition(k);
          if (preposition === '' || preposition === 'of' || found.some(({ head }) => head === k)) continue;
          found.push({ preposition, head: k, agent: false });
        }
    return [...found, ...this.destinations(found)];
  }

  /** "from Bergen to Oslo": where to is the verb's, though it hangs on where from. */
  private destinations(found: readonly Adjunct[]): Adjunct[] {
    const { view } = this;
    const origins = found.filter(({ preposition }) => preposition === 'from');
    return origins
      .flatMap(({ head }) => view.kids(head, 'nmod'))
      .filter((k) => view.preposition(k) === 'to' && !found.some(({ head }) => head === k))
      .map((head) => ({ preposition: 'to', head, agent: false }));
  }

  /**
   * What follows a participle step by step is the participle's, whatever the tree says: "born May 28, 1997 in Oslo,
   * Norway". At the beginning of a sentence that goes for everything before the first comma.
   */
  private following(v: number, found: Adjunct[]): void {
    const { view } = this;
    const { tag } = view.tokens[v]!;
    if (tag !== 'VBN' && tag !== 'VBD') return;
    const opening = v <= 1 && tag === 'VBN';
    let last: string | null = null;
    for (let i = v + 1; i < view.tokens.length && i < v + 16;) {
      const name = view.nameAt[i] ?? null;
      const date = view.dateAt(i);
      const end = name?.to ?? date?.to ?? 0;
      if (end > i) {
        if (last !== null) this.adjoin(last, i, end, found);
        last = null;
        i = end;
      } else if (OPENING_PREPOSITIONS.has(view.lower(i))) last = view.lower(i++);
      else if (view.lower(i) === 'the' || opening) {
        if (view.form(i) === ',') return;
        i++;
      } else if (view.form(i) === ',' && view.nameAt[i + 1]?.type === 'place' && view.nameAt[i - 1]?.type === 'place')
        i++;
      else return;
    }
  }

  private adjoin(preposition: string, from: number, end: number, found: Adjunct[]): void {
    if (found.some(({ head }) => head >= from && head < end)) return;
    found.push({ preposition, head: end - 1, agent: preposition === 'by' });
  }

  /** Possessors, and what follows with "of". */
  ownersOf(i: number): Mention[] {
    const { view } = this;
    return [...view.kids(i, 'nmod:poss'), ...view.kids(i, 'nmod').filter((k) => view.preposition(k) === 'of')]
      .flatMap((k) => view.listed(k))
      .flatMap((k) => view.mention(k) ?? this.about(k)[0] ?? []);
  }

  /** The date of what a verb says: an adjunct, or one that stands right after. */
  dateOf(v: number, adjuncts: readonly Adjunct[], prepositions: ReadonlySet<string>): DateSpan | null {
    const { view } = this;
    for (const { preposition, head } of adjuncts) {
      if (preposition !== '' && !prepositions.has(preposition)) continue;
      const date = view.dateIn(head);
      if (date !== null) return date;
    }
    for (const date of view.dates) {
      if (date.from <= v || date.from - v > 3) continue;
      if (!view.tokens.slice(v + 1, date.from).some(({ verb }) => verb)) return date;
    }
    return null;
  }
}
