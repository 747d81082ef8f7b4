import { CITY, DEMONYM, PLACE } from '../learned/lexicon.ts';
import type { Clauses } from './clauses.ts';
import { phrase } from './phrases.ts';
import type { Argument, Mention, Validity } from './relation.ts';
import {
  ALUMNI_NOUNS,
  AFFILIATION_PREPOSITIONS,
  FOUNDER_NOUNS,
  HEAD_NOUNS,
  isChiefExecutive,
  isPartyAdjective,
  kinshipOf,
  namesParty,
  PART_NOUNS,
  SUPPORTER_NOUNS,
  TITLE_NOUNS,
} from '../vocabulary/word-classes.ts';
import { validityOfRole } from './validity.ts';
import { isPerson, type SentenceView } from './view.ts';

/** What a noun is related to: a possessor, what follows with a preposition, or the organisation before it. */
interface Link {
  by: string;
  head: number;
}

const DEMONYM_ENDINGS = 'ian ean ish ese ench erman utch iss reek thai zech eli aqi ani'.split(' ');
const FORMS_OF_ADDRESS = new Set('mr mrs ms miss dr sir madam dame lord lady mr. mrs. ms. dr.'.split(' '));
const PARTY_NOUNS = new Set(['democrat', 'republican', 'tory', 'liberal']);
const SPAN_TAGS = new Set(['NN', 'NNS', 'NNP', 'JJ', 'CC', 'HYPH']);
const FILL_TAGS = new Set(['DT', 'JJ', 'NN', 'NNS', 'HYPH']);
const BOARD = new Set(['board', 'chairman', 'ceo', 'president']);
const OF_LINKS = new Set(['of', 'poss', 'compound']);

/** Relations of a noun that is said of somebody: "a Norwegian engineer", "the CEO of X", "Y's sister". */
export class Roles {
  private readonly clauses: Clauses;
  private readonly view: SentenceView;

  constructor(clauses: Clauses) {
    this.clauses = clauses;
    this.view = clauses.view;
  }

  isPlace(mention: Argument): boolean {
    if (mention.type === 'place') return true;
    return mention.type === 'other' && this.view.lexicon.has(mention.text.toLowerCase(), CITY | PLACE);
  }

  /** Says what noun `i` says of each of `who`; of a verb's role, `said` is when the verb says that it is held. */
  say(i: number, who: readonly Mention[], confidence: number, said: Validity = {}): void {
    const { view } = this;
    const token = view.tokens[i]!;
    if (who.length === 0 || !(token.noun || token.tag.startsWith('J'))) return;
    const kind = view.kind(i);
    const role = view.isPersonNoun(i);
    const links = this.linksOf(i, role);
    const validity = { ...said, ...validityOfRole(this.clauses, i) };
    for (const subject of who) {
      if ((kind === 'organisation' || kind === 'place') && isPerson(subject)) continue;
      const thing = subject.type === 'organisation' || subject.type === 'place';
      if (kind === 'person' && !PART_NOUNS.has(token.lemma) && thing) continue;
      this.origin(i, subject, confidence);
      this.what(i, subject, role, confidence, validity);
      for (const link of links) this.linked(i, subject, link, role, validity);
      this.based(i, subject);
    }
  }

  /** Nationality and party beside the role. */
  private origin(i: number, subject: Mention, confidence: number): void {
    const { view } = this;
    const direct = view.kids(i, 'amod', 'compound', 'nmod:desc');
    const kind = view.kind(i);
    for (const k of [...direct, ...direct.flatMap((m) => view.kids(m, 'conj', 'amod', 'compound'))]) {
      const { form, start, end } = view.tokens[k]!;
      if (view.lexicon.has(view.lower(k), DEMONYM) || (kind === 'person' && isLikeDemonym(form))) {
        const value: Argument = { text: form, type: 'demonym', start, end };
        if (isPerson(subject)) view.add(subject, 'nationality', value, { confidence });
        else if (kind.startsWith('organisation')) view.add(subject, 'country', value, { confidence });
      }
      if (isPartyAdjective(view.lower(k)) && form !== view.lower(k) && isPerson(subject))
        view.add(subject, 'political_affiliation', { text: form, type: 'organisation', start, end }, { confidence });
    }
    const { lemma, form, start, end } = view.tokens[i]!;
    if (PARTY_NOUNS.has(lemma) && isPerson(subject))
      view.add(subject, 'political_affiliation', { text: form, type: 'organisation', start, end });
  }

  private what(i: number, subject: Mention, role: boolean, confidence: number, validity: Validity): void {
    const { view } = this;
    const { from, to } = phrase(view, i);
    if (role && (isPerson(subject) || subject.type === 'other')) {
      if (kinshipOf(view.tokens[i]!.lemma) === undefined && !FORMS_OF_ADDRESS.has(view.lower(i)))
        view.add(subject, 'has_role', view.words(from, to), { confidence, validity });
    } else if (view.nameAt[i] === null && view.kind(i) !== '' && !isPerson(subject) && this.isPredicate(i))
      view.add(subject, 'is_a', view.words(from, to), { confidence: 0.6 });
  }

  /** "X is a …" or "X, a …": other nouns beside a name say too seldom what it is. */
  private isPredicate(i: number): boolean {
    const { view } = this;
    if (this.clauses.apposed.has(i)) return true;
    let at = i;
    while (view.tokens[at]!.label === 'conj' && !view.hasKid(at, 'cop')) at = view.tokens[at]!.head;
    return view.hasKid(at, 'cop');
  }

  private linksOf(i: number, role: boolean): Link[] {
    const { view } = this;
    const links: Link[] = [];
    for (const k of view.kids(i, 'nmod', 'nmod:poss', 'obl'))
      for (const c of view.listed(k)) {
        const by = view.tokens[k]!.label === 'nmod:poss' ? 'poss' : view.preposition(c) || view.preposition(k);
        links.push({ by, head: c });
      }
    for (const k of view.kids(i, 'compound'))
      if (view.nameAt[k]?.type === 'organisation') links.push({ by: 'compound', head: k });
    const belongs = () => links.some(({ by }) => AFFILIATION_PREPOSITIONS.has(by));
    if (!belongs()) this.sharedLinks(i, links);
    if (role && !belongs()) {
      const ahead = this.linkAhead(i + 1, 16);
      if (ahead !== null) links.push(ahead);
    }
    return links;
  }

  /** A role in a list shares what follows its last: "president and CEO of X". */
  private sharedLinks(i: number, links: Link[]): void {
    const { view } = this;
    const take = (of: number, before: number) => {
      for (const k of view.kids(of, 'nmod'))
        if (AFFILIATION_PREPOSITIONS.has(view.preposition(k)) && k < before)
          for (const c of view.listed(k)) links.push({ by: view.preposition(k), head: c });
    };
    for (const c of view.kids(i, 'conj')) if (view.tokens[c]!.noun) take(c, Number.POSITIVE_INFINITY);
    const { label, head } = view.tokens[i]!;
    if (label === 'conj' && head >= 0 && links.length === 0) take(head, i);
  }

  /** "chairman of the board, president and CEO of X": the name after the first "of", whatever the tree says. */
  private linkAhead(from: number, most: number): Link | null {
    const { view } = this;
    const stop = Math.min(view.tokens.length, from + most);
    let j = from;
    while (j < stop && this.isInRole(j)) j++;
    if (!AFFILIATION_PREPOSITIONS.has(view.lower(j))) return null;
    const k = this.skipToName(j + 1);
    return k < 0 ? null : { by: view.lower(j), head: k };
  }

  private isInRole(j: number): boolean {
    const { view } = this;
    if (SPAN_TAGS.has(view.tag(j))) return view.nameAt[j] === null;
    const form = view.form(j);
    if (form === ',' || form === '&') return true;
    const next = view.lower(j + 1);
    if (view.lower(j) === 'of') return next === 'directors' || (next === 'the' && view.lower(j + 2) === 'board');
    return view.lower(j) === 'the' && BOARD.has(next);
  }

  private skipToName(from: number): number {
    const { view } = this;
    let k = from;
    while (k < view.tokens.length && k < from + 4 && FILL_TAGS.has(view.tag(k)) && view.nameAt[k] === null) k++;
    return (view.nameAt[k] ?? null) === null ? -1 : k;
  }

  /** What a link's noun phrase names; "the board of X" stands for X. */
  private linkedMention({ by, head }: Link): Mention | null {
    const { view } = this;
    const mention = view.mention(head);
    if (mention !== null) return mention;
    if (!(AFFILIATION_PREPOSITIONS.has(by) || OF_LINKS.has(by) || by === 'in' || by === 'with')) return null;
    const inside = view.kids(head, 'nmod', 'compound', 'nmod:poss').find((k) => view.nameAt[k] !== null);
    const found = inside === undefined ? (this.clauses.about(head)[0] ?? null) : view.mention(inside);
    return found?.type === 'organisation' ? found : null;
  }

  private linked(i: number, subject: Mention, link: Link, role: boolean, validity: Validity): void {
    const { view } = this;
    const { lemma } = view.tokens[i]!;
    const to = this.linkedMention(link);
    if (to === null) return;
    const { by } = link;
    const of = OF_LINKS.has(by);
    if (kinshipOf(lemma) !== undefined && (of || by === 'to')) return this.kin(lemma, subject, to);
    if (FOUNDER_NOUNS.has(lemma) && (of || AFFILIATION_PREPOSITIONS.has(by))) {
      if (!isPerson(to)) view.add(to, 'founded_by', subject, { confidence: 0.9 });
      return;
    }
    if (of && PART_NOUNS.has(lemma) && !isPerson(subject)) {
      view.add(subject, lemma === 'part' || lemma === 'branch' ? 'part_of' : 'subsidiary_of', to, { confidence: 0.85 });
      if (lemma === 'part' || lemma === 'branch') view.add(subject, 'subsidiary_of', to, { confidence: 0.6 });
      return;
    }
    if (
      lemma === 'company' &&
      (of || by === 'for') &&
      view.kids(i, 'compound', 'amod').some((k) => view.lower(k) === 'parent')
    ) {
      view.add(to, 'subsidiary_of', subject, { confidence: 0.8, validity });
      return;
    }
    if (this.membership(lemma, by, subject, to, validity)) return;
    if (isPerson(subject) && role) return this.post(i, lemma, by, subject, to, validity);
    if (!isPerson(subject) && ['in', 'at', 'near'].includes(by) && this.isPlace(to)) {
      const seat = subject.type === 'organisation' || view.kind(i).startsWith('organisation');
      for (const place of view.placesOf(link.head))
        view.add(subject, seat ? 'headquarters' : 'located_in', place, { confidence: 0.6 });
      return;
    }
    const name = lemma.replaceAll('-', '_');
    if (by === 'of' || by === 'poss') view.add(to, name, subject, { confidence: 0.7 });
    else if (to.kind === 'name' && by !== '' && by !== 'compound')
      view.add(subject, `${name}_${by.replaceAll(' ', '_')}`, to, { confidence: 0.5, open: true });
  }

  kin(lemma: string, subject: Mention, of: Mention): void {
    const kin = kinshipOf(lemma) ?? null;
    if (!isPerson(of) || kin === null) return;
    if (kin === 'child') this.view.add(subject, 'child_of', of);
    else if (kin === 'parent') this.view.add(of, 'child_of', subject);
    else this.view.add(subject, kin, of);
  }

  private membership(lemma: string, by: string, subject: Mention, to: Mention, validity: Validity): boolean {
    const { view } = this;
    if (ALUMNI_NOUNS.has(lemma) && ['of', 'from', 'poss', 'at'].includes(by)) {
      if (!isPerson(to)) view.add(subject, 'educated_at', to);
      return true;
    }
    if (lemma === 'native' && by === 'of') {
      view.add(subject, 'born_in', to);
      return true;
    }
    if ((lemma === 'resident' || lemma === 'inhabitant' || lemma === 'native') && (by === 'of' || by === 'in')) {
      view.add(subject, 'lives_in', to, { validity });
      return true;
    }
    if (lemma === 'member' && (by === 'of' || by === 'in')) {
      if (!this.isPlace(to)) view.add(subject, 'member_of', to, { validity });
      return true;
    }
    if (SUPPORTER_NOUNS.has(lemma) && (by === 'of' || by === 'poss') && namesParty(to.text) && isPerson(subject))
      view.add(subject, 'political_affiliation', to, { validity });
    return false;
  }

  /** A person's post at an organisation. */
  private post(i: number, lemma: string, by: string, subject: Mention, to: Mention, validity: Validity): void {
    const { view } = this;
    const organisation = to.type === 'organisation' || (to.type === 'other' && by !== 'in');
    const belongs = AFFILIATION_PREPOSITIONS.has(by) || OF_LINKS.has(by) || by === 'with' || by === 'in';
    if (organisation && belongs) {
      const { from, to: end } = phrase(view, i);
      const words = view.words(from, end).text;
      if (lemma === 'ceo' || isChiefExecutive(words)) view.add(to, 'ceo', subject, { confidence: 0.9, validity });
      view.add(subject, 'works_for', to, { confidence: 0.75, validity });
      if (HEAD_NOUNS.has(lemma)) {
        const relation = lemma === 'head' || lemma === 'leader' || lemma === 'chief' ? 'led_by' : lemma;
        view.add(to, relation, subject, { confidence: 0.7, validity });
      }
    } else if (this.isPlace(to) && by === 'of') view.add(to, lemma, subject, { confidence: 0.7, validity });
  }

  /** "a Lund-based company" */
  private based(i: number, subject: Mention): void {
    const { view } = this;
    for (const k of view.kids(i, 'amod', 'compound', 'nmod:desc')) {
      const lower = view.lower(k);
      if (lower !== 'based' && !lower.endsWith('-based')) continue;
      const { start, end, form } = view.tokens[k]!;
      const name = view.nameAt[k - 2] ?? view.nameAt[k - 1] ?? null;
      const place: Argument | null =
        lower === 'based' ? name : { text: form.slice(0, -6), type: 'place', start, end: end - 6 };
      if (place === null) continue;
      const { text, type, start: s, end: e } = place;
      view.add(subject, isPerson(subject) ? 'lives_in' : 'headquarters', { text, type, start: s, end: e });
    }
  }

  /** Possessor and organisation before a role that stands before a name: "Acme CEO Jane Roe", "her son Tom". */
  before(i: number, who: readonly Mention[]): void {
    const { view } = this;
    const { lemma } = view.tokens[i]!;
    let j = i - 1;
    while (
      j >= 0 &&
      (view.tag(j) === 'JJ' || view.tag(j) === 'NN' || view.tag(j) === 'HYPH') &&
      view.nameAt[j] === null
    )
      j--;
    if (j < 0) return;
    const owned = view.tag(j) === 'POS' && view.nameAt[j - 1] !== null ? j - 1 : j;
    if (owned === j && view.tag(j) !== 'PRP$' && !(view.nameAt[j] !== null && j >= i - 2)) return;
    const owner = view.mention(owned);
    if (owner === null || who.some(({ text }) => text === owner.text)) return;
    const validity = validityOfRole(this.clauses, i);
    for (const subject of who) {
      if (kinshipOf(lemma) !== undefined) this.kin(lemma, subject, owner);
      else if (FOUNDER_NOUNS.has(lemma)) {
        if (!isPerson(owner)) view.add(owner, 'founded_by', subject);
      } else if (isPerson(subject) && owner.type === 'organisation') {
        const words = view.words(Math.max(0, i - 2), i + 1).text;
        if (isChiefExecutive(words)) view.add(owner, 'ceo', subject, { validity });
        view.add(subject, 'works_for', owner, { confidence: 0.75, validity });
      }
    }
  }

  /** "X, president and CEO of Y" by places: for lists of roles whose tree is wrong. */
  listAfter(i: number): Link | null {
    return this.linkAhead(i, 9);
  }
}

function isLikeDemonym(form: string): boolean {
  const first = form.charCodeAt(0);
  return first >= 65 && first <= 90 && form.length > 4 && DEMONYM_ENDINGS.some((ending) => form.endsWith(ending));
}

export function isRoleNoun(view: SentenceView, i: number): boolean {
  return view.isPersonNoun(i) || TITLE_NOUNS.has(view.tokens[i]!.lemma);
}
