import type { Token } from '../tree/sentence.ts';
import { isSubject } from '../relations/view.ts';

type Skip = (child: Token) => boolean;

const NOT_OF_SUBJECT = new Set('bracketed case acl:relcl parataxis cop mark appos aux aux:pass advcl'.split(' '));
const NOT_OF_OBJECT = new Set('bracketed case parataxis mark cop aux aux:pass acl:relcl advcl'.split(' '));
const NOT_OF_MEMBER = new Set('case acl:relcl parataxis cc conj cop aux aux:pass mark punct'.split(' '));
const APPOSITION_MAX = 4;

/** The words of phrases, as indices in ascending order. */
export class Subtrees {
  private readonly tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  /** A word and everything below it, without the children that `skip` names. */
  below(i: number, skip: Skip = () => false): number[] {
    const found = [i];
    for (const k of this.tokens[i]!.children) if (!skip(this.tokens[k]!)) this.collect(k, found);
    return found.sort((a, b) => a - b);
  }

  private collect(i: number, into: number[]): void {
    const first = into.length;
    into.push(i);
    for (let at = first; at < into.length; at++) into.push(...this.tokens[into[at]!]!.children);
  }

  /** `clause`: the verb whose subject it is; what it says of a noun before it is no part of that noun's phrase. */
  subject(i: number, clause = -1): number[] {
    const { children, tag } = this.tokens[i]!;
    if (tag.startsWith('PRP') || tag.startsWith('W')) return [i];
    const inserted = children.some((k) => k === clause || ['appos', 'acl:relcl'].includes(this.tokens[k]!.label));
    return this.below(
      i,
      ({ label, index }) =>
        index === clause || NOT_OF_SUBJECT.has(label) || isSubject(label) || (label === 'punct' && inserted),
    );
  }

  object(i: number): number[] {
    const verb = this.tokens[i]!.verb;
    const first = this.firstOf(i);
    return this.below(i, ({ label, index }) => {
      if (NOT_OF_OBJECT.has(label)) return true;
      if (isSubject(label)) return !verb;
      if (label === 'appos') return this.below(index).length > APPOSITION_MAX;
      return label === 'punct' && index < i && index === first;
    });
  }

  /** One member of a list, without the others. */
  member(i: number): number[] {
    return this.below(i, ({ label }) => NOT_OF_MEMBER.has(label) || isSubject(label));
  }

  private firstOf(i: number): number {
    let first = i;
    for (let k = this.tokens[i]!.children[0]; k !== undefined && k < first; k = this.tokens[k]!.children[0]) first = k;
    return first;
  }
}
