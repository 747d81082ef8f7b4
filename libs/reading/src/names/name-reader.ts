import { FAMILY, GIVEN } from '../learned/lexicon.ts';
import type { ReadingModel } from '../learned/model.ts';
import type { ParsedSentence } from '../tree/sentence.ts';
import { NameDetector } from './detector.ts';
import { typeEvidence, typeNumber } from './evidence.ts';
import { gazetteer } from './gazetteer.ts';
import { shareInLists } from './lists.ts';
import type { Name } from './name.ts';
import { otherNamesOf } from './other-names.ts';
import { quotations } from './quotes.ts';
import { nameSpans } from './spans.ts';
import { NAME_TYPES, NameClassifier, type NameType } from './name-classifier.ts';

/** What a clause says of a name counts as much as this in the typer's scores. */
const EVIDENCE_WEIGHT = 80;
/** A type that won by less is a guess. */
const GUESS_MARGIN = 28;
const DIGIT = /\d/;

/** Finds the names of a text and gives each one type, by the votes of all its mentions. */
export class NameReader {
  private readonly model: ReadingModel;
  private readonly detector: NameDetector;
  private readonly typer: NameClassifier;

  constructor(model: ReadingModel) {
    this.model = model;
    this.detector = new NameDetector(model.detector);
    this.typer = new NameClassifier(model.typer, model.lexicon);
  }

  read(text: string, sentences: readonly ParsedSentence[]): Name[][] {
    const votes = new Map<string, Float32Array>();
    const names = sentences.map((sentence) => this.inSentence(text, sentence, votes));
    shareVotes(votes, otherNamesOf(text, names));
    const judged = new Map([...votes].map(([key, scores]) => [key, judge(scores)]));
    const mentions = Map.groupBy(names.flat(), ({ key }) => key);
    const fullNames = fullNamesOf(mentions, judged);
    const firstWords = this.organisationsByFirstWord(judged);
    for (const [key, all] of mentions) {
      const { type, margin } = judged.get(key)!;
      const full = fullNames.get(key) ?? null;
      const named = full !== null ? 'person' : firstWords.has(key) ? 'organisation' : type;
      for (const name of all) Object.assign(name, { full, type: named, margin });
    }
    return names;
  }

  /**
   * "Acme" of a text that has "Acme Foundry": a word that an organisation's name begins with, taken for a person although
   * it is the name of none, or for nothing, and then a word that no list knows.
   */
  private organisationsByFirstWord(judged: ReadonlyMap<string, Judged>): Set<string> {
    const words = new Set<string>();
    for (const [key, { type, margin }] of judged) {
      const end = key.indexOf(' ');
      if (type !== 'organisation' || end < 0 || margin < GUESS_MARGIN) continue;
      const word = key.slice(0, end);
      const own = judged.get(word)?.type;
      const entry = this.model.lexicon.entry(word);
      if (own === 'person' ? (entry & (GIVEN | FAMILY)) === 0 : own === 'other' && entry === 0) words.add(word);
    }
    return words;
  }

  private inSentence(text: string, sentence: ParsedSentence, votes: Map<string, Float32Array>): Name[] {
    const { words, tags, tokens } = sentence;
    const { lexicon } = this.model;
    const quoted = quotations(words);
    const marks = this.detector.detect(words, tags, gazetteer(words, lexicon), quoted);
    const spans = nameSpans(sentence, marks, quoted, lexicon);
    const own = spans.map(({ from, to }) => this.scoresOf(sentence, quoted, from, to));
    shareInLists(tokens, spans, own);
    return spans.map(({ from, to, weak }, k) => {
      const { start } = tokens[from]!;
      const { end } = tokens[to - 1]!;
      const name = text.slice(start, end);
      const key = name.toLowerCase();
      const scores = own[k]!;
      // A code is not a person's name.
      if (to - from === 1 && DIGIT.test(name)) scores[typeNumber('person')] = Math.min(...scores);
      const known = votes.get(key);
      if (known === undefined) votes.set(key, scores);
      else for (let c = 0; c < scores.length; c++) known[c]! += scores[c]!;
      return { from, to, start, end, text: name, weak, type: 'other', margin: 0, full: null, key };
    });
  }

  private scoresOf({ words, tokens }: ParsedSentence, quoted: Int32Array, from: number, to: number): Float32Array {
    const scores = this.typer.scores(words, tokens, quoted, from, to);
    for (const type of typeEvidence(tokens, from, to, this.model.lexicon)) scores[typeNumber(type)]! += EVIDENCE_WEIGHT;
    return scores;
  }
}

/** Both names have the votes of both. */
function shareVotes(votes: ReadonlyMap<string, Float32Array>, otherNames: ReadonlyMap<string, string>): void {
  for (const [key, name] of otherNames) {
    const [one, other] = [votes.get(key)!, votes.get(name)!];
    for (let c = 0; c < one.length; c++) one[c] = other[c] = one[c]! + other[c]!;
  }
}

/** What the votes of a name say. */
interface Judged {
  type: NameType;
  margin: number;
}

function judge(scores: Float32Array): Judged {
  let best = 0;
  for (let c = 1; c < scores.length; c++) if (scores[c]! > scores[best]!) best = c;
  let next = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < scores.length; c++) if (c !== best) next = Math.max(next, scores[c]!);
  return { type: NAME_TYPES[best]!, margin: scores[best]! - next };
}

/**
 * A first or last name alone is the person whose full name the text has, unless its own mentions say that it is something
 * else, each with more than those of the full name: "Wakefield" beside "Wakefield Ward". "NFL" is no given name.
 */
function fullNamesOf(
  mentions: ReadonlyMap<string, readonly Name[]>,
  judged: ReadonlyMap<string, Judged>,
): Map<string, string> {
  const full = new Map<string, string>();
  const weight = (key: string) => judged.get(key)!.margin / mentions.get(key)!.length;
  for (const [key, [first]] of mentions) {
    if (judged.get(key)!.type !== 'person' || !key.includes(' ')) continue;
    for (const word of [
      first!.text.slice(first!.text.lastIndexOf(' ') + 1),
      first!.text.slice(0, first!.text.indexOf(' ')),
    ]) {
      const alone = word.toLowerCase();
      const own = judged.get(alone)?.type;
      const isElse = (own === 'organisation' || own === 'place') && weight(alone) > weight(key);
      const isAcronym = word.length > 1 && word === word.toUpperCase() && first!.text !== first!.text.toUpperCase();
      if (own !== undefined && !isElse && !isAcronym) full.set(alone, key);
    }
  }
  return full;
}
