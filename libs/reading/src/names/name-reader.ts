import type { ReadingModel } from '../learned/model.ts';
import type { ParsedSentence } from '../tree/sentence.ts';
import { NameDetector } from './detector.ts';
import { typeEvidence, typeNumber } from './evidence.ts';
import { gazetteer } from './gazetteer.ts';
import { nameSpans } from './spans.ts';
import { NAME_TYPES, NameTyper, type NameType } from './typer.ts';

/** A name in a sentence, from token `from` until before `to`, and where it stands in the text. */
export interface Name {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly weak: boolean;
  type: NameType;
  /** By how much its type won the votes, in the typer's scores; what a clause says of a name counts 80. */
  margin: number;
  /** The full name in this text of the person who is called so here, in lower case. */
  full: string | null;
  readonly key: string;
}

/** What a clause says of a name counts as much as this in the typer's scores. */
const EVIDENCE_WEIGHT = 80;

/** Finds the names of a text and gives each one type, by the votes of all its mentions. */
export class NameReader {
  private readonly model: ReadingModel;
  private readonly detector: NameDetector;
  private readonly typer: NameTyper;

  constructor(model: ReadingModel) {
    this.model = model;
    this.detector = new NameDetector(model.detector);
    this.typer = new NameTyper(model.typer, model.lexicon);
  }

  read(text: string, sentences: readonly ParsedSentence[]): Name[][] {
    const votes = new Map<string, Float32Array>();
    const names = sentences.map((sentence) => this.inSentence(text, sentence, votes));
    const types = new Map<string, NameType>();
    const margins = new Map<string, number>();
    for (const [key, scores] of votes) {
      const type = winner(scores);
      types.set(key, type);
      const won = scores[NAME_TYPES.indexOf(type)]!;
      margins.set(
        key,
        Math.min(...Array.from(scores, (score, c) => (NAME_TYPES[c] === type ? Infinity : won - score))),
      );
    }
    const fullNames = fullNamesOf(types);
    for (const name of names.flat()) {
      name.full = fullNames.get(name.key) ?? null;
      name.type = name.full === null ? types.get(name.key)! : 'person';
      name.margin = margins.get(name.key)!;
    }
    return names;
  }

  private inSentence(text: string, sentence: ParsedSentence, votes: Map<string, Float32Array>): Name[] {
    const { words, tags, tokens } = sentence;
    const { lexicon } = this.model;
    const marks = this.detector.detect(words, tags, gazetteer(words, lexicon));
    return nameSpans(sentence, marks, lexicon).map(({ from, to, weak }) => {
      const { start } = tokens[from]!;
      const { end } = tokens[to - 1]!;
      const name = text.slice(start, end);
      const key = name.toLowerCase();
      const scores = this.typer.scores(words, tokens, from, to);
      for (const type of typeEvidence(tokens, from, to, lexicon)) scores[typeNumber(type)]! += EVIDENCE_WEIGHT;
      const known = votes.get(key);
      if (known === undefined) votes.set(key, scores);
      else for (let c = 0; c < scores.length; c++) known[c]! += scores[c]!;
      return { from, to, start, end, text: name, weak, type: 'other', margin: 0, full: null, key };
    });
  }
}

function winner(scores: Float32Array): NameType {
  let best = 0;
  for (let c = 1; c < scores.length; c++) if (scores[c]! > scores[best]!) best = c;
  return NAME_TYPES[best]!;
}

/** A first or last name alone is the person whose full name the text has. */
function fullNamesOf(types: ReadonlyMap<string, NameType>): Map<string, string> {
  const full = new Map<string, string>();
  for (const [key, type] of types) {
    if (type !== 'person') continue;
    const first = key.indexOf(' ');
    if (first < 0) continue;
    full.set(key.slice(key.lastIndexOf(' ') + 1), key);
    full.set(key.slice(0, first), key);
  }
  return full;
}
