import { ContradictionDetector, functionalRelation, type Relation } from '@cairn/reading';
import { shippedReader } from '../entities/shipped-reader.ts';
import type { Note } from './notes.ts';

/** Notes that give one thing different names, dates or places. */
interface NamedValueComparison {
  /** Both cannot hold: nobody is born in two years. */
  disagreements: (readonly [Note, Note])[];
  /** What changes with time, said by a newer document or of a later time: a head office, a chief executive. */
  superseded: (readonly [newer: Note, older: Note])[];
}

/** Of one source before a note: what "it" and "the company" stand for. */
const BEFORE_CHARS = 800;
const NOTES_MAX = 200;
const SOURCES_MAX = 60;

let comparer: ContradictionDetector | undefined;

/** Compares what the sentences of different sources say of the same subject by relations that have one value at a time. */
export function compareNamedValues(notes: readonly Note[]): NamedValueComparison {
  const bySource = Map.groupBy(notes.slice(0, NOTES_MAX), ({ source }) => source.source_id);
  const read = [...bySource.values()].slice(0, SOURCES_MAX).map(statedIn);
  comparer ??= new ContradictionDetector(shippedReader().lexicon);
  const comparison: NamedValueComparison = { disagreements: [], superseded: [] };
  for (const [i, one] of read.entries())
    for (const other of read.slice(i + 1))
      for (const { kind, relation, a, b } of comparer.disagreements([...one.keys()], [...other.keys()])) {
        const [x, y] = [one.get(a) ?? other.get(a)!, one.get(b) ?? other.get(b)!];
        if (kind === 'supersedes') comparison.superseded.push([y, x]);
        else place(comparison, relation, x, y);
      }
  return comparison;
}

/** A newer document supersedes what changes with time. What never changes it contradicts, like any other document. */
function place({ disagreements, superseded }: NamedValueComparison, relation: string, x: Note, y: Note): void {
  const [earlier, later] = [x.documentDate.at, y.documentDate.at];
  if (functionalRelation(relation)?.changes !== true || earlier === null || later === null || earlier === later)
    disagreements.push([x, y]);
  else superseded.push(earlier < later ? [y, x] : [x, y]);
}

/** What the notes of one source say, each with its note. */
function statedIn(notes: readonly Note[]): Map<Relation, Note> {
  const { body } = notes[0]!.source;
  const stated = new Map<Relation, Note>();
  for (const [from, to] of passagesOf(notes)) {
    for (const relation of shippedReader().reader.read(body.slice(from, to)).relations) {
      const at = from + relation.start;
      const note = notes.find(({ start, quote }) => at >= start && at < start + quote.length);
      if (note !== undefined) stated.set(relation, note);
    }
  }
  return stated;
}

/** The notes with what stands before them, each character once. */
function passagesOf(notes: readonly Note[]): [from: number, to: number][] {
  const passages: [number, number][] = [];
  for (const { start, quote, source } of notes.toSorted((a, b) => a.start - b.start)) {
    const from = beginOf(source.body, start);
    const last = passages.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], start + quote.length);
    else passages.push([from, start + quote.length]);
  }
  return passages;
}

/** The first line that begins within reach of a place; the place itself in the midst of a long one. */
function beginOf(body: string, start: number): number {
  if (start <= BEFORE_CHARS) return 0;
  const line = body.indexOf('\n', start - BEFORE_CHARS);
  return line < 0 || line >= start ? start : line + 1;
}
