import { HEADQUARTERS_NOUNS, NOMINALS } from '../vocabulary/word-classes.ts';
import { FrameReader } from './frame-reader.ts';
import type { Frame } from './frames.ts';
import type { Mention } from './relation.ts';
import { isPerson, mayBeOrganisation } from './view.ts';

const BELONGING = new Set(['member_of', 'works_for']);

/** Whoever leaves a town at noon comes back; who is said to leave it in a year or a month moves. */
function isLong({ date }: Frame): boolean {
  return date !== null && date.value.from !== date.value.to;
}

/** Verbs by which one thing takes the place of another: what begins, and what is over. */
export class ChangeReader extends FrameReader {
  /** What did not happen, or only may, changes nothing. */
  read(frame: Frame): void {
    const { kind, mood } = frame;
    if (mood === 'open') return;
    if (kind === 'move') this.move(frame);
    else if (kind === 'succeed') this.succeed(frame);
    else if (this.hasReceiver(frame)) return;
    else if (kind === 'leave') this.leave(frame);
    else if (kind === 'sell') this.sell(frame);
  }

  /** "Left X a fortune", "X was sold a licence": X receives something. */
  private hasReceiver({ v, kind, passive }: Frame): boolean {
    const { view } = this;
    const objects = view.kids(v, 'obj', 'iobj').filter((k) => view.dateIn(k) === null);
    return objects.length > (kind === 'sell' && passive ? 0 : 1);
  }

  /** What is to come on no known day is not said to hold. */
  private begins({ mood, validity }: Frame): boolean {
    return mood === 'fact' || validity.since !== undefined;
  }

  /** "X moved from A to B", "X moved its headquarters to B"; who moves something else stays. */
  private move(frame: Frame): void {
    const { view } = this;
    const moved = frame.passive ? [view.subjectOf(frame.v) ?? -1] : frame.objects;
    const seats = moved.filter((o) => o >= 0 && HEADQUARTERS_NOUNS.has(view.tokens[o]!.lemma));
    const isElse = (o: number) => {
      const mention = view.mention(o);
      return mention === null || !this.isPlace(mention);
    };
    if (seats.length === 0 && !frame.passive && frame.objects.some(isElse)) return;
    const owners = seats.flatMap((seat) => this.clauses.ownersOf(seat));
    for (const subject of owners.length > 0 ? owners : frame.subjects) {
      const relation = isPerson(subject) ? 'lives_in' : 'headquarters';
      for (const place of this.begins(frame) ? this.places(frame, ['to', 'into']) : [])
        if (this.isPlace(place)) this.put(frame, subject, relation, place);
      for (const place of this.places(frame, ['from']))
        if (this.isPlace(place)) this.put(frame, subject, relation, place, { validity: frame.before });
      for (const object of seats.length > 0 || !this.begins(frame) ? [] : frame.objectMentions)
        if (this.isPlace(object)) this.put(frame, subject, 'lives_in', object);
    }
  }

  /** "X left Y", "X resigned as chair of Y": the frame's validity is that of what is over. */
  private leave(frame: Frame): void {
    const left = [...frame.objectMentions, ...this.named(frame, ['from'])];
    for (const subject of frame.subjects) {
      if (this.leaveJoined(frame, subject)) continue;
      const belonged = isPerson(subject) ? 'works_for' : 'member_of';
      for (const group of left) {
        if (this.isPlace(group)) {
          if (isPerson(subject) && isLong(frame)) this.put(frame, subject, 'lives_in', group);
        } else if (mayBeOrganisation(group)) this.put(frame, subject, belonged, group);
      }
    }
    this.asRole(frame, frame.subjects, 0.75);
  }

  /** "X joined Y in 2015 and left (it, the company) in 2019": what the verb before says ends with this one. */
  private leaveJoined({ v, objects, adjuncts, validity }: Frame, subject: Mention): boolean {
    const { view } = this;
    const { label, head } = view.tokens[v]!;
    const isNamed = [...objects, ...adjuncts.map((adjunct) => adjunct.head)].some((k) => view.nameAt[k] !== null);
    const isPointing = objects.every((k) => view.lower(k) === 'it' || NOMINALS.has(view.tokens[k]!.lemma));
    if (label !== 'conj' || isNamed || !isPointing) return false;
    const joined = view.relations.filter(
      ({ relation, subject: { text }, object: { start } }) =>
        text === subject.text && BELONGING.has(relation) && start > view.tokens[head]!.start,
    );
    for (const one of joined) one.validity = { ...one.validity, ...validity };
    return joined.length > 0;
  }

  /** "X succeeded Y as chair of Z", "Y was replaced by X as chair of Z". */
  private succeed(frame: Frame): void {
    const [next, last] = frame.passive
      ? [frame.agents, frame.subjects]
      : [frame.subjects, frame.objectMentions.filter(isPerson)];
    if (last.length === 0) return;
    if (this.begins(frame)) this.asRole(frame, next, 0.75);
    this.asRole(frame, last, 0.75, frame.before);
  }

  /** "Y sold X to Z", "X was sold by Y to Z". */
  private sell(frame: Frame): void {
    const [things, sellers] = frame.passive ? [frame.subjects, frame.agents] : [frame.objectMentions, frame.subjects];
    const isParty = (mention: Mention) => isPerson(mention) || mention.type === 'organisation';
    for (const thing of things.filter(mayBeOrganisation)) {
      for (const buyer of this.begins(frame) ? this.named(frame, ['to']).filter(isParty) : [])
        this.put(frame, thing, 'owned_by', buyer, { confidence: 0.7 });
      for (const seller of sellers.filter(isParty))
        this.put(frame, thing, 'owned_by', seller, { confidence: 0.7, validity: frame.before });
    }
  }
}
