import { ChangeReader } from './changes.ts';
import type { Clauses } from './clauses.ts';
import { FrameReader } from './frame-reader.ts';
import type { Argument, Mention } from './relation.ts';
import { type Frame, leadingRelation, readFrame } from './frames.ts';
import { priceOf } from './phrases.ts';
import type { Roles } from './roles.ts';
import {
  DEGREES,
  HEADQUARTERS_NOUNS,
  IN_PLACE,
  kinshipOf,
  namesParty,
  namesSchool,
  type VerbClass,
} from '../vocabulary/word-classes.ts';
import { isPerson, mayBeOrganisation } from './view.ts';

const CLASSES_WITH_ROLES = new Set<VerbClass | null>(['work', 'join', 'serve', 'appoint', 'hire', 'leave', 'succeed']);
const NAMING = new Set('name choose select introduce pick tap'.split(' '));
const BECOMING = new Set(['become', 'remain', 'stay']);
const OWNING = new Set(['have', 'maintain', 'establish']);
const PARENTING = new Set(['have', 'father', 'adopt', 'raise', 'bear']);

/** Relations that verbs say: their class and the prepositions of what stands beside them. */
export class VerbReader extends FrameReader {
  private readonly changes: ChangeReader;
  private readonly byClass: Record<VerbClass, (frame: Frame) => void> = {
    born: (f) => this.born(f),
    die: (f) => this.died(f),
    found: (f) => this.founded(f),
    acquire: (f) => this.acquired(f, true),
    own: (f) => this.acquired(f, false),
    marry: (f) => this.married(f),
    live: (f) => this.lived(f),
    move: (f) => this.changes.read(f),
    leave: (f) => this.changes.read(f),
    succeed: (f) => this.changes.read(f),
    sell: (f) => this.changes.read(f),
    study: (f) => this.studied(f, false),
    attend: (f) => this.studied(f, true),
    lead: (f) => this.led(f),
    work: (f) => this.worked(f),
    join: (f) => this.joined(f),
    belong: (f) => this.belonged(f, ['to']),
    play: (f) => this.belonged(f, ['for', 'with', 'at']),
    serve: (f) => this.served(f),
    appoint: (f) => this.appointed(f, false),
    hire: (f) => this.appointed(f, true),
    base: (f) => this.based(f),
    represent: (f) => this.represented(f),
    launch: (f) => this.launched(f, 'launch'),
    open: (f) => this.launched(f, 'open'),
    report: (f) => this.reported(f),
  };

  constructor(clauses: Clauses, roles: Roles) {
    super(clauses, roles);
    this.changes = new ChangeReader(clauses, roles);
  }

  read(): void {
    for (const token of this.view.tokens) {
      if (!token.verb || token.label.startsWith('aux') || token.label === 'cop') continue;
      this.readVerb(token.index);
    }
  }

  private readVerb(v: number): void {
    const frame = readFrame(this.clauses, v);
    const { kind } = frame;
    if (kind !== null) this.byClass[kind](frame);
    this.anyVerb(frame, kind);
    this.openRelations(frame, kind);
  }

  private date(frame: Frame, subject: Argument, relation: string): void {
    if (frame.date !== null) this.put(frame, subject, relation, this.view.dateArgument(frame.date));
  }

  /** Of the adjunct nearest to the verb, and of its list: "based in A, with offices in B" is in A. */
  private nearestPlaces(frame: Frame, prepositions: readonly string[]): Mention[] {
    const { view } = this;
    const wanted = frame.adjuncts
      .filter(({ preposition, head }) => prepositions.includes(preposition) && view.dateIn(head) === null)
      .sort((a, b) => Math.abs(a.head - frame.v) - Math.abs(b.head - frame.v));
    const [nearest] = wanted;
    if (nearest === undefined) return [];
    const members = view.listed(nearest.head);
    return wanted.filter(({ head }) => members.includes(head)).flatMap(({ head }) => view.placesOf(head));
  }

  private born(frame: Frame): void {
    for (const subject of frame.subjects) {
      this.date(frame, subject, 'birth_date');
      for (const place of this.places(frame, ['in', 'at', 'near', 'on', 'outside']))
        if (!isPerson(place)) this.put(frame, subject, 'born_in', place);
      for (const parent of this.named(frame, ['to', 'of']))
        if (isPerson(parent)) this.put(frame, subject, 'child_of', parent);
    }
  }

  private died(frame: Frame): void {
    const dies = ['die', 'perish', 'pass away'].includes(frame.lemma);
    if (!dies && !frame.passive) return;
    for (const subject of frame.subjects) {
      this.date(frame, subject, 'death_date');
      for (const place of this.places(frame, ['in', 'at', 'near'])) this.put(frame, subject, 'died_in', place);
    }
  }

  private founded(frame: Frame): void {
    if (frame.passive) {
      for (const subject of frame.subjects) {
        if (isPerson(subject) && frame.subjects.length > 1) continue;
        for (const agent of frame.agents) this.put(frame, subject, 'founded_by', agent);
        this.date(frame, subject, 'founded_date');
        for (const place of this.places(frame, ['in', 'at', 'near']))
          if (this.isPlace(place)) this.put(frame, subject, 'founded_in', place);
      }
      return;
    }
    for (const object of frame.objectMentions) {
      for (const subject of frame.subjects) this.put(frame, object, 'founded_by', subject);
      this.date(frame, object, 'founded_date');
    }
    if (frame.objects.length > 0 || !['start', 'form', 'organize'].includes(frame.lemma)) return;
    if (this.view.hasKid(frame.v, 'xcomp')) return;
    for (const subject of frame.subjects) if (mayBeOrganisation(subject)) this.date(frame, subject, 'founded_date');
  }

  private acquired(frame: Frame, bought: boolean): void {
    const things = frame.passive ? frame.subjects : frame.objectMentions;
    const owners = frame.passive ? frame.agents : frame.subjects;
    const price = bought ? priceOf(this.view, frame.adjuncts) : {};
    for (const thing of things) {
      for (const owner of owners) this.put(frame, thing, 'owned_by', owner, price);
      if (!bought) continue;
      for (const owner of owners) this.put(frame, owner, 'acquired', thing, { ...price, confidence: 0.7 });
      this.date(frame, thing, 'acquired_date');
    }
  }

  private married(frame: Frame): void {
    const partners = this.named(frame, ['to', 'with', 'by']);
    for (const subject of frame.subjects) {
      for (const object of frame.objectMentions)
        if (isPerson(object) || object.type === 'other') this.put(frame, subject, 'spouse', object);
      for (const partner of partners) if (isPerson(partner)) this.put(frame, subject, 'spouse', partner);
    }
    const [one, other] = frame.subjects;
    if (frame.subjects.length === 2 && frame.objectMentions.length === 0) this.put(frame, one!, 'spouse', other!);
  }

  private lived(frame: Frame): void {
    for (const subject of frame.subjects)
      if (isPerson(subject) || subject.type === 'other')
        for (const place of this.places(frame, IN_PLACE))
          if (!isPerson(place)) this.put(frame, subject, 'lives_in', place);
  }

  private isSchool(mention: Mention): boolean {
    return mention.type === 'organisation' || namesSchool(mention.text);
  }

  private studied(frame: Frame, attends: boolean): void {
    const { view } = this;
    const schools = this.named(frame, ['at', 'from', 'in']);
    if (attends) {
      schools.push(...frame.objectMentions);
      for (const o of frame.objects)
        if (view.mention(o) === null)
          for (const k of view.tokens[o]!.children) {
            const mention = view.mention(k);
            if (mention?.kind === 'name') schools.push(mention);
          }
    }
    for (const subject of frame.subjects)
      for (const school of schools) if (this.isSchool(school)) this.put(frame, subject, 'educated_at', school);
  }

  private led(frame: Frame): void {
    const led = frame.passive ? frame.subjects : frame.objectMentions.filter((o) => !isPerson(o));
    const leaders = frame.passive ? frame.agents : frame.subjects.filter((s) => isPerson(s) || s.type === 'other');
    for (const thing of led)
      for (const leader of leaders) this.put(frame, thing, leadingRelation(frame, thing), leader);
  }

  private worked(frame: Frame): void {
    for (const subject of frame.subjects) {
      for (const employer of this.named(frame, ['for', 'at', 'with']))
        if (mayBeOrganisation(employer) && !this.isPlace(employer)) this.put(frame, subject, 'works_for', employer);
      for (const place of this.named(frame, ['in', 'from', 'at']))
        if (this.isPlace(place)) this.put(frame, subject, 'works_in', this.view.placeOfUnit(place));
      this.asRole(frame, [subject], 0.8);
    }
  }

  private joined(frame: Frame): void {
    const { view } = this;
    const joined = [...frame.objectMentions, ...this.named(frame, ['with', 'for', 'at'])].filter(
      (m) => mayBeOrganisation(m) && !this.isPlace(m),
    );
    for (const o of frame.objects)
      if (view.mention(o) === null)
        for (const k of view.kids(o, 'nmod', 'nmod:poss')) {
          const mention = view.mention(k);
          if (mention?.type === 'organisation') joined.push(mention);
        }
    for (const subject of frame.subjects) {
      for (const group of joined) this.put(frame, subject, 'member_of', group);
      this.asRole(frame, [subject], 0.75);
    }
  }

  private belonged(frame: Frame, prepositions: readonly string[]): void {
    for (const subject of frame.subjects)
      for (const group of this.named(frame, prepositions))
        if (mayBeOrganisation(group)) this.put(frame, subject, 'member_of', group);
  }

  private reported(frame: Frame): void {
    for (const subject of frame.subjects)
      for (const superior of this.named(frame, ['to']))
        if (isPerson(subject) && isPerson(superior)) this.put(frame, subject, 'reports_to', superior);
  }

  private served(frame: Frame): void {
    for (const subject of frame.subjects) {
      for (const group of this.named(frame, ['in', 'with', 'on', 'at', 'for']))
        if (group.type === 'organisation') this.put(frame, subject, 'member_of', group);
      this.asRole(frame, [subject], 0.85);
    }
  }

  private appointed(frame: Frame, hired: boolean): void {
    const { view } = this;
    const who = frame.passive ? frame.subjects : frame.objectMentions.filter(isPerson);
    this.asRole(frame, who, 0.8);
    const employers = this.named(frame, hired ? ['by', 'at', 'to', 'in', 'for'] : ['at', 'to', 'in', 'for']);
    if (hired && !frame.passive) employers.push(...frame.subjects.filter(mayBeOrganisation));
    for (const person of who)
      for (const employer of employers)
        if (employer.type === 'organisation') this.put(frame, person, 'works_for', employer);
    for (const k of view.kids(frame.v, 'xcomp', 'obj'))
      if (view.tokens[k]!.noun && !frame.negated) this.roles.say(k, who, 0.8, frame.validity);
  }

  private based(frame: Frame): void {
    for (const subject of frame.subjects) {
      const relation = isPerson(subject) ? 'lives_in' : subject.type === 'place' ? 'located_in' : 'headquarters';
      for (const place of this.nearestPlaces(frame, ['in', 'at', 'near', 'on', 'within', 'out of']))
        if (!isPerson(place)) this.put(frame, subject, relation, place);
    }
  }

  private represented(frame: Frame): void {
    for (const subject of frame.subjects)
      for (const object of frame.objectMentions)
        this.put(frame, subject, namesParty(object.text) ? 'member_of' : 'represents', object);
  }

  private launched(frame: Frame, verb: 'launch' | 'open'): void {
    const things = frame.passive || frame.objectMentions.length === 0 ? frame.subjects : frame.objectMentions;
    for (const thing of things) {
      // What a band or a publisher released is something else.
      if (frame.lemma === 'release' && thing.type === 'organisation') continue;
      this.date(frame, thing, `${verb}_date`);
      if (frame.passive) for (const agent of frame.agents) this.put(frame, thing, `${verb}ed_by`, agent);
    }
  }

  /** What any verb may say by the nouns beside it: roles, degrees, headquarters, children. */
  private anyVerb(frame: Frame, kind: VerbClass | null): void {
    const { view } = this;
    const { lemma } = view.tokens[frame.v]!;
    if (!CLASSES_WITH_ROLES.has(kind)) {
      const who = frame.passive || !NAMING.has(lemma) ? frame.subjects : frame.objectMentions;
      this.asRole(frame, who, 0.7, frame.kind === 'acquire' ? frame.validity : frame.bounds);
    }
    if (BECOMING.has(lemma) && !frame.negated)
      for (const k of view.kids(frame.v, 'xcomp', 'obj'))
        if (view.tokens[k]!.noun && view.nameAt[k] === null)
          for (const member of view.listed(k)) this.roles.say(member, frame.subjects, 0.8, frame.validity);
    this.degrees(frame, lemma);
    if (OWNING.has(lemma) && frame.objects.some((o) => HEADQUARTERS_NOUNS.has(view.tokens[o]!.lemma)))
      for (const subject of frame.subjects)
        for (const place of this.places(frame, ['in', 'at', 'near']))
          if (this.isPlace(place) || place.type === 'other') this.put(frame, subject, 'headquarters', place);
    if (PARENTING.has(lemma) && !frame.passive) this.children(frame, lemma);
  }

  private namesDegree(o: number): boolean {
    const { view } = this;
    return DEGREES.has(view.tokens[o]!.lemma) || view.tokens[o]!.children.some((k) => DEGREES.has(view.lower(k)));
  }

  private degrees(frame: Frame, lemma: string): void {
    const { view } = this;
    const degrees = frame.objects.filter((o) => this.namesDegree(o));
    const schools =
      degrees.length > 0 || lemma === 'graduate' || lemma === 'educate' ? this.named(frame, ['from', 'at', 'in']) : [];
    for (const o of degrees)
      for (const k of view.tokens[o]!.children.filter((child) => view.tokens[child]!.label !== 'conj'))
        for (const inner of [k, ...view.tokens[k]!.children]) {
          const name = view.nameAt[inner] ?? null;
          if (name?.type === 'organisation' && ['from', 'at', 'of'].includes(view.preposition(inner)))
            schools.push(view.mentionOf(name, inner));
        }
    for (const subject of frame.subjects)
      for (const school of schools)
        if (!isPerson(school) && this.isSchool(school)) this.put(frame, subject, 'educated_at', school);
  }

  private children(frame: Frame, lemma: string): void {
    const { view } = this;
    for (const o of frame.objects) {
      if (kinshipOf(view.tokens[o]!.lemma) !== 'child' && lemma !== 'father') continue;
      for (const c of [...view.kids(o, 'appos', 'flat', 'conj', 'obj', 'dep', 'compound'), o]) {
        if (view.nameAt[c]?.type !== 'person') continue;
        for (const child of view.listed(c).flatMap((k) => view.mention(k) ?? []))
          for (const subject of frame.subjects) this.put(frame, child, 'child_of', subject);
      }
    }
  }

  /** Whatever else is said between two names, by its verb. */
  private openRelations(frame: Frame, kind: VerbClass | null): void {
    const { view } = this;
    const base = frame.lemma.replaceAll(' ', '_').replaceAll('-', '_');
    if (kind === null) {
      for (const subject of frame.subjects) {
        if (frame.passive)
          for (const agent of frame.agents)
            this.put(frame, subject, `${base}_by`, agent, { confidence: 0.6, open: true });
        else
          for (const object of frame.objectMentions)
            if (object.kind === 'name') this.put(frame, subject, base, object, { confidence: 0.6, open: true });
        if (frame.date !== null)
          this.put(frame, subject, `${base}_date`, view.dateArgument(frame.date), { confidence: 0.55, open: true });
      }
    }
    for (const { preposition, head, agent } of frame.adjuncts) {
      if (agent || preposition === '') continue;
      const mention = view.mention(head);
      if (mention?.kind !== 'name') continue;
      for (const subject of frame.subjects)
        if (!view.relates(subject, mention))
          this.put(frame, subject, `${base}_${preposition.replaceAll(' ', '_')}`, mention, {
            confidence: 0.5,
            open: true,
          });
    }
  }
}
