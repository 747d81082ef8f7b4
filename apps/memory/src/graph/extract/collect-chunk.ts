import { functionalRelation, type Places, typesFit } from '@cairn/reading';
import {
  CO_OCCURS,
  type ExtractedEdge,
  type ExtractedFact,
  type ExtractedName,
  type Extraction,
  type ReadStatement,
} from './extraction.ts';
import type { EntityClass } from './entity-classes.ts';
import type { NameSpan } from './names.ts';
import type { OpenLink } from './stated-relations.ts';
import type { Statement } from './statement.ts';
import type { Value } from './values.ts';
import type { WindowNames } from './window-names.ts';

/** What was read in one chunk; places are those of its own text. */
export interface ChunkExtraction {
  /** Names of its titles. */
  titled: readonly NameSpan[];
  names: readonly NameSpan[];
  /** Names that stand in one sentence or row. */
  groups: readonly (readonly NameSpan[])[];
  statements: readonly Statement[];
  links: readonly OpenLink[];
  modelStatements: readonly ReadStatement[];
}

const CO_OCCURRENCE_WEIGHT = 10;
const NAMES_PER_SENTENCE_MAX = 8;
/** How many of the following names of a sentence a name is linked with. */
const NEIGHBOURS = 2;
const NAMES_MAX = 120;
const FACTS_MAX = 200;
const EDGES_MAX = 400;

/** Puts together what was read in a chunk, with one entry for each name and each statement. */
export function collectChunk(read: ChunkExtraction, names: WindowNames, places: Places): Extraction {
  const collector = new Collector(names, places);
  for (const name of read.titled) collector.name(name.text, name.class, 0);
  for (const name of read.names) collector.name(name.text, name.class, 1);
  for (const statement of read.statements) collector.state(statement);
  for (const statement of read.modelStatements) collector.state({ ...statement, ended: false }, true);
  for (const link of read.links) collector.link(link);
  for (const group of read.groups) collector.stand(group);
  return collector.extraction;
}

class Collector {
  private readonly window: WindowNames;
  private readonly places: Places;
  private readonly names: ExtractedName[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly facts: ExtractedFact[] = [];
  private readonly known = new Set<string>();
  private readonly edges = new Map<string, ExtractedEdge>();

  constructor(window: WindowNames, places: Places) {
    this.window = window;
    this.places = places;
  }

  get extraction(): Extraction {
    return { names: this.names, edges: [...this.edges.values()], facts: this.facts };
  }

  /** The place of the name in the list; null when there is no room, or nothing to tell it by. */
  name(surface: string, found: EntityClass, count: number): number | null {
    const name = this.window.resolve(surface, found);
    if (name === null) return null;
    const key = `${name.class} ${name.norm}`;
    let index = this.numbers.get(key);
    if (index === undefined) {
      if (this.names.length >= NAMES_MAX) return null;
      index = this.names.push({ ...name, count: 0 }) - 1;
      this.numbers.set(key, index);
    }
    this.names[index]!.count += count;
    return index;
  }

  /** A statement that the chunk makes already is not made twice; `checked`: the types of both sides must allow it. */
  state({ subjectClass, objectClass, ...statement }: Statement, checked = false): void {
    if (this.facts.length >= FACTS_MAX) return;
    if (checked && !typesFit(argument(subjectClass), statement.relation, argument(objectClass))) return;
    const subjectName = this.name(statement.subject, subjectClass, 0);
    const objectName = objectClass === null ? null : this.name(statement.text, objectClass, 0);
    if (subjectName === null || subjectName === objectName || (objectClass !== null && objectName === null)) return;
    const value = this.shaped(statement.relation, statement.value, statement.text, objectName);
    const key = [subjectName, statement.relation, statement.negated, objectName ?? JSON.stringify(value)].join(' ');
    if (this.known.has(key)) return;
    this.known.add(key);
    this.facts.push({ ...statement, value, subjectName, objectName });
    if (objectName === null || statement.negated) return;
    this.edge(subjectName, objectName, statement.relation, Math.round(statement.confidence * 100));
  }

  /** Values of one relation have one shape, whoever read them. */
  private shaped(relation: string, value: Value, text: string, objectName: number | null): Value {
    if (value.kind !== 'text') return value;
    if (functionalRelation(relation)?.kind === 'place') return { kind: 'place', ...this.places.named([text]) };
    return objectName === null ? value : { ...value, type: this.names[objectName]!.class };
  }

  link({ subject, subjectClass, object, objectClass, type, confidence, start, end }: OpenLink): void {
    const source = this.name(subject, subjectClass, 0);
    const target = this.name(object, objectClass, 0);
    if (source === null || target === null || source === target) return;
    this.edge(source, target, type, Math.round(confidence * 100), { start, end });
  }

  stand(group: readonly NameSpan[]): void {
    const members = [
      ...new Set(group.slice(0, NAMES_PER_SENTENCE_MAX).map((name) => this.name(name.text, name.class, 0))),
    ].filter((index) => index !== null);
    for (const [position, one] of members.entries())
      for (const other of members.slice(position + 1, position + 1 + NEIGHBOURS))
        this.edge(Math.min(one, other), Math.max(one, other), CO_OCCURS, CO_OCCURRENCE_WEIGHT);
  }

  private edge(source: number, target: number, type: string, weight: number, place?: { start: number; end: number }) {
    const key = `${source} ${target} ${type}`;
    const edge = this.edges.get(key);
    if (edge !== undefined) edge.weight += weight;
    else if (this.edges.size < EDGES_MAX) this.edges.set(key, { source, target, type, weight, ...place });
  }
}

const ARGUMENT = { text: '', start: 0, end: 0 };

/** An argument of a class alone, as signatures judge it. */
function argument(found: EntityClass | null): Parameters<typeof typesFit>[0] {
  const isTyped = found === 'person' || found === 'organisation' || found === 'place';
  return { ...ARGUMENT, type: isTyped ? found : null };
}
