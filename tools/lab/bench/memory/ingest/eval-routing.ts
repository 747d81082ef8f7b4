import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRouter, type Terms } from '../../../../../apps/memory/src/ingestion/routing/classify.ts';
import { countTerms } from '../../../../../apps/memory/src/ingestion/routing/terms.ts';

const SET = join(import.meta.dirname, '..', 'routing-set');
/** Documents of each space after these were not looked at while constants were chosen. */
const HELD_OUT_FROM = 24;
const LEARNED = [0, 3, 6, 12];

interface Labelled {
  space: string;
  position: number;
  terms: Terms;
}

export interface RoutingScores {
  documents: number;
  /** Documents of each space that were learned from, all of them held out. */
  learned: number;
  accuracy: number;
  /** Share of documents left to a review, and accuracy of the others. */
  review: number;
  accuracyWithout: number;
}

export interface RoutingResult {
  spaces: number;
  documents: number;
  majority: number;
  all: RoutingScores;
  heldOut: RoutingScores;
  learning: RoutingScores[];
}

/** Classifies the labelled set by names and descriptions alone, and after some documents of each space are known. */
export async function evaluateRouting(): Promise<RoutingResult> {
  const spaces = JSON.parse(await readFile(join(SET, 'spaces.json'), 'utf8')) as {
    name: string;
    description: string;
    file: string;
  }[];
  const documents: Labelled[] = [];
  for (const { name, file } of spaces) {
    const lines = (await readFile(join(SET, file), 'utf8')).trim().split('\n');
    lines.forEach((text, position) => documents.push({ space: name, position, terms: countTerms([text]) }));
  }
  const score = (tested: readonly Labelled[], learned: number): RoutingScores => {
    const known = (space: string) =>
      documents
        .filter((document) => document.space === space && document.position >= HELD_OUT_FROM)
        .slice(0, learned)
        .map((document) => document.terms);
    const router = createRouter(spaces.map((space) => ({ ...space, spaceId: space.name, learned: known(space.name) })));
    let [right, left, rightWithout] = [0, 0, 0];
    for (const { space, terms } of tested) {
      const route = router.route(terms);
      const isRight = route.spaceId === space;
      if (isRight) right += 1;
      if (route.needsReview) left += 1;
      else if (isRight) rightWithout += 1;
    }
    return {
      documents: tested.length,
      learned,
      accuracy: right / tested.length,
      review: left / tested.length,
      accuracyWithout: rightWithout / (tested.length - left),
    };
  };
  const first = documents.filter(({ position }) => position < HELD_OUT_FROM);
  return {
    spaces: spaces.length,
    documents: documents.length,
    majority:
      Math.max(...spaces.map(({ name }) => documents.filter(({ space }) => space === name).length)) / documents.length,
    all: score(documents, 0),
    heldOut: score(
      documents.filter(({ position }) => position >= HELD_OUT_FROM),
      0,
    ),
    learning: LEARNED.map((learned) => score(first, learned)),
  };
}
