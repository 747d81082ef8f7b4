/**
 * What each signal adds to a candidate's score. The numbers are validated on collections that they were not fitted on
 * (`npm run eval`, section “Signals on collections they were not fitted on” of docs/measurements/search.md).
 */
export interface RankingWeights {
  /** Best hits of the index that the other signals look at; those below keep their place. */
  depth: number;
  /** For words of the question that stand within `proximityWindow` of each other, in their order in the question. */
  proximity: number;
  proximityWindow: number;
  /**
   * For similarity to the best candidate, as a share of its score; not among turns of conversations. Whichever collection
   * is left out, the others choose 2; from 1.5 to 2.5 is flat.
   */
  kinship: number;
  /**
   * Share of the score of the turn just before or after, in a conversation. Half of what is best on LoCoMo costs nothing
   * there, and less where the words already find the turn …
   */
  neighbour: number;
  /** … and of those two away. */
  secondNeighbour: number;
  /** For a turn by somebody whom the question names, as a share of the best score. */
  speaker: number;
  /**
   * For what the person of a dialogue with a program said, when the question is about the one who asks, as a share of the
   * best score. From .35 on flat on the one collection that has such questions.
   */
  asker: number;
  /** For a text of the day, month or year that the question names, as a share of the best score. */
  date: number;
  /** For a text from the time that the question means (`last week`), as a share of the best score. */
  timeWindow: number;
  /** For what the graph connects with the question, as a share of the best score. */
  graph: number;
}

export const RANKING: Readonly<RankingWeights> = {
  depth: 50,
  proximity: 0.2,
  proximityWindow: 3,
  kinship: 2,
  neighbour: 0.15,
  secondNeighbour: 0.075,
  speaker: 0.25,
  asker: 0.5,
  date: 0.1,
  timeWindow: 0.5,
  graph: 0.15,
};

/** The order of the index alone. */
export const NO_RANKING: Readonly<RankingWeights> = {
  depth: 0,
  proximity: 0,
  proximityWindow: 0,
  kinship: 0,
  neighbour: 0,
  secondNeighbour: 0,
  speaker: 0,
  asker: 0,
  date: 0,
  timeWindow: 0,
  graph: 0,
};
