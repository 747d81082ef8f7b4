export { createReader, type Reader, type Reading } from './reader.ts';
export { loadShippedModel } from './shipped-model.ts';
export type { Relation } from './relations/relation.ts';
export { typesFit } from './relations/signatures.ts';
export { ContradictionDetector } from './compare/contradictions.ts';
export { Places } from './compare/places.ts';
export {
  compareDates,
  compareNamed,
  comparePlaces,
  type Comparison,
  functionalRelation,
  laterOf,
  type PlaceValue,
} from './compare/values.ts';
export { createSyntax, type Syntax } from './syntax.ts';
export type { ReadingModel } from './learned/model.ts';
export type { Token } from './tree/sentence.ts';
