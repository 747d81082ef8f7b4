export { createReader } from './reader.ts';
export { Comparer } from './compare/contradictions.ts';
