import { normalForm } from '../names/normal-form.ts';
import type { ExtractedEdge, ExtractedName, Extraction, KeyClass } from './extract.ts';
import type { Statement } from './statement.ts';

/** A statement whose classes are those that tell homonyms apart, with places in the chunk's own text. */
export interface ReadStatement extends Omit<Statement, 'subjectClass' | 'objectClass'> {
  subjectClass: KeyClass;
  objectClass: KeyClass | null;
}

/** The extraction with further statements; what it says already is not said twice. A name that it has keeps its class. */
export function addStatements(extraction: Extraction, statements: readonly ReadStatement[]): Extraction {
  const names: ExtractedName[] = extraction.names.map((name) => ({ ...name }));
  const edges: ExtractedEdge[] = extraction.edges.map((edge) => ({ ...edge }));
  const facts = [...extraction.facts];
  const indexOf = (surface: string, keyClass: KeyClass): number | null => {
    const norm = normalForm(surface);
    if (norm.length < 2) return null;
    const known = names.findIndex((name) => name.norm === norm);
    if (known >= 0) return known;
    return names.push({ norm, class: keyClass, surface, count: 1 }) - 1;
  };
  for (const { subjectClass, objectClass, ...statement } of statements) {
    const subjectName = indexOf(statement.subject, subjectClass);
    const objectName = objectClass === null ? null : indexOf(statement.text, objectClass);
    if (subjectName === null || subjectName === objectName || (objectClass !== null && objectName === null)) continue;
    const isKnown = facts.some(
      (fact) =>
        fact.subjectName === subjectName &&
        fact.relation === statement.relation &&
        fact.negated === statement.negated &&
        (objectName === null ? sameValue(fact.value, statement.value) : fact.objectName === objectName),
    );
    if (isKnown) continue;
    facts.push({ ...statement, subjectName, objectName });
    if (objectName === null || statement.negated) continue;
    const weight = Math.round(statement.confidence * 100);
    const edge = edges.find(
      ({ source, target, type }) => source === subjectName && target === objectName && type === statement.relation,
    );
    if (edge === undefined) edges.push({ source: subjectName, target: objectName, type: statement.relation, weight });
    else edge.weight += weight;
  }
  return { names, edges, facts };
}

function sameValue(a: Statement['value'], b: Statement['value']): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
