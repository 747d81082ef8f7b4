/**
 * How sentences are chosen. Swept over the development sets and the handbook together; what the whole is worth stands
 * in docs/measurements/search.md.
 */
export interface AnswerWeights {
  /** Share of the question's weight that the best sentence with its titles must carry; below it nothing answers. */
  coverageMin: number;
  /** With so much evidence in all passages together … */
  evidenceMin: 0.6;
  /** … a sentence that carries this share is enough. */
  hopCoverageMin: number;
  /** The same for turns of a conversation, which are short and mean what was said before. */
  turnCoverageMin: number;
  /** What words found only in the titles count, against those in the sentence itself. */
  title: number;
  /** What words found only elsewhere in the passage count, when sentences are compared. */
  passage: number;
  /** What a passage's rank adds to its sentences, against a full coverage of 1. */
  rank: number;
  /** For a sentence that has what the question asks for: a number, a time, somebody's name. */
  kind: number;
  /** For words beside the question's, without which a sentence only repeats it. */
  news: number;
  /** For one that begins with whom or what the question wants explained. */
  subject: number;
  /** Against one that only says where to read more. */
  pointer: number;
  /** A further sentence must add this share of the question's weight … */
  gainMin: number;
  /** … or carry this share of what the first one carries, so that it supports or completes it. */
  supportShareMin: number;
  /** Whatever it adds, it must carry this share of what the first one carries, or it is about something else. */
  furtherShareMin: number;
  /** For a sentence of a passage whose title a chosen sentence names: the next step of a question that takes two. */
  bridge: number;
  /** A second step is looked for when the best passage lacks this share of the question. */
  openMin: number;
  /** In the second step, for the sentence with which a named document begins. */
  lead: number;
  /** What a sentence must be worth to be taken as the second step; all that was open is 1. */
  stepMin: number;
  /** Of a further sentence, what the question's words that it adds count against how well it would begin the answer … */
  spanGain: number;
  /** … which counts this … */
  span: number;
  /** … and may be so far behind the best. */
  spanMin: number;
}

export const ANSWERING: Readonly<AnswerWeights> = {
  coverageMin: 0.4,
  evidenceMin: 0.6,
  hopCoverageMin: 0.25,
  turnCoverageMin: 0.15,
  title: 0.7,
  passage: 0.2,
  rank: 0.35,
  kind: 0.3,
  news: 0.2,
  subject: 0.4,
  pointer: 0.1,
  gainMin: 0.12,
  supportShareMin: 0.7,
  furtherShareMin: 0.45,
  bridge: 0.3,
  openMin: 0.05,
  lead: 0.2,
  stepMin: 0.5,
  spanGain: 1,
  span: 0.2,
  spanMin: -3,
};
