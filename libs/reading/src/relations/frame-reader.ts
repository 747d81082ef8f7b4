import type { Clauses } from './clauses.ts';
import type { Frame } from './frames.ts';
import type { Argument, Mention, Relation } from './relation.ts';
import type { Roles } from './roles.ts';
import type { SentenceView } from './view.ts';

/** What readers of verbs share: what stands beside a verb, and how it is said. */
export class FrameReader {
  protected readonly clauses: Clauses;
  protected readonly roles: Roles;
  protected readonly view: SentenceView;

  constructor(clauses: Clauses, roles: Roles) {
    this.clauses = clauses;
    this.roles = roles;
    this.view = clauses.view;
  }

  protected put(
    frame: Frame,
    subject: Argument,
    relation: string,
    object: Argument,
    extra: Partial<Relation> = {},
  ): void {
    const validity = extra.validity ?? frame.validity;
    // "Was not based in Oslo until 2018" says when it began to be: neither that nor a denial is sure.
    if (frame.negated && validity.until !== undefined) return;
    this.view.add(subject, relation, object, { negated: frame.negated, ...extra, validity });
  }

  /** The places of adjuncts with one of the prepositions. */
  protected places(frame: Frame, prepositions: ReadonlySet<string> | readonly string[]): Mention[] {
    const { view } = this;
    const wanted = new Set(prepositions);
    return frame.adjuncts
      .filter(({ preposition, head }) => wanted.has(preposition) && view.dateAt(head) === null)
      .flatMap(({ head }) => view.placesOf(head));
  }

  protected isPlace(mention: Argument): boolean {
    return this.roles.isPlace(mention);
  }

  /** What is named beside the verb with one of the prepositions. */
  protected named(frame: Frame, prepositions: readonly string[]): Mention[] {
    return frame.adjuncts
      .filter(({ preposition }) => prepositions.includes(preposition))
      .flatMap(({ head }) => this.view.mention(head) ?? []);
  }

  /** The roles that the verb says of somebody with "as"; what it denies is said by no role. */
  protected asRole(frame: Frame, who: readonly Mention[], confidence: number, validity = frame.validity): void {
    if (frame.negated) return;
    for (const { preposition, head } of frame.adjuncts)
      if (preposition === 'as' && this.view.tokens[head]!.noun && this.view.nameAt[head] === null)
        this.roles.say(head, who, confidence, validity);
  }
}
