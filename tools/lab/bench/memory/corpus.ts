import { CORPUS_LANGUAGES, type CorpusLanguage } from './corpus-languages.ts';

/** A chunk as the generator writes it: 100 words of body, about 5 of title path, about 6 of context. */
interface CorpusChunk {
  language: CorpusLanguage;
  titlePath: string;
  contextPrefix: string;
  body: string;
}

/** The same words for both peers: as typed, and for `to_tsquery`. */
export interface CorpusQuery {
  language: CorpusLanguage;
  words: string[];
}

export interface Corpus {
  /** The n-th chunk; the same for the same seed, whoever asks and in whatever order. */
  chunk(n: number): CorpusChunk;
  /** The n-th query over the first `chunkCount` chunks: 3 to 12 words, a quarter stop words, one rare word. */
  query(n: number, chunkCount: number): CorpusQuery;
}

export const BODY_WORDS = 100;
/** Words of running text that are stop words. */
const STOP_WORD_SHARE = 0.42;
const QUERY_STOP_WORD_SHARE = 0.25;
const QUERY_WORDS = { min: 3, max: 12 };
/**
 * Content words of a language, at 1 / (rank + offset): Zipf's law as Mandelbrot corrected it. With these
 * numbers the most frequent content word is in one of seven chunks, the thousandth in one of two hundred.
 */
const VOCABULARY = 400_000;
const CONTENT_OFFSET = 40;
/**
 * Stems that a language uses everywhere, each with seven endings; beyond them frequencies fall with the square of the
 * rank. A million English words are 56,000 different ones then, and 20,000 make 96 % of a text (SciFact's abstracts:
 * 31,000 and 99 %).
 */
const KERNEL_STEMS = 1_000;
const STOP_WORD_OFFSET = 2.7;
/** Streams of random numbers that have nothing to do with each other. */
const STREAMS = { chunk: 1, query: 2 };

/**
 * How frequent rare words are. `long`: by one law over the whole vocabulary, a million different words in six million,
 * far more than texts have: the burden of an index. `natural`: by the two laws that large corpora show, with a kernel
 * of some thousand words (Ferrer i Cancho and Solé 2001): what a reader of texts meets.
 */
export type RareWords = 'long' | 'natural';

/** Makes texts of three languages out of a seed: real stop words, invented content words. */
export function createCorpus(seed: number, rareWords: RareWords = 'long'): Corpus {
  const content = cumulative(VOCABULARY, CONTENT_OFFSET, rareWords === 'natural' ? KERNEL_STEMS : VOCABULARY);
  const writers = CORPUS_LANGUAGES.map((language) => new LanguageWriter(language, content));

  function startChunk(n: number): { random: () => number; writer: LanguageWriter } {
    const random = randomNumbers(seed, STREAMS.chunk, n);
    return { random, writer: pickLanguage(writers, random) };
  }

  return {
    chunk(n) {
      const { random, writer } = startChunk(n);
      const body = writer.sentences(BODY_WORDS, random);
      const titles = [writer.contentWords(3, random), writer.contentWords(2, random)];
      return {
        language: writer.language,
        titlePath: titles.map((title) => title.join(' ')).join(' › '),
        contextPrefix: writer.contentWords(6, random).join(' '),
        body,
      };
    },
    query(n, chunkCount) {
      const random = randomNumbers(seed, STREAMS.query, n);
      const { random: ofChunk, writer } = startChunk(Math.floor(random() * chunkCount));
      const rare = writer.rarestWord(BODY_WORDS, ofChunk);
      const count = QUERY_WORDS.min + Math.floor(random() * (QUERY_WORDS.max - QUERY_WORDS.min + 1));
      const chosen = new Set([rare]);
      while (chosen.size < count)
        chosen.add(random() < QUERY_STOP_WORD_SHARE ? writer.stopWord(random) : writer.contentWord(random));
      return { language: writer.language, words: [...chosen] };
    },
  };
}

function pickLanguage(writers: readonly LanguageWriter[], random: () => number): LanguageWriter {
  let left = random();
  for (const writer of writers) {
    left -= writer.language.share;
    if (left < 0) return writer;
  }
  return writers[0]!;
}

/** Writes one language. Draws of a chunk come in a fixed order, so that its rarest word can be found again. */
class LanguageWriter {
  readonly language: CorpusLanguage;
  private readonly content: Float64Array;
  private readonly stops: Float64Array;

  constructor(language: CorpusLanguage, content: Float64Array) {
    this.language = language;
    this.content = content;
    this.stops = cumulative(language.stopWords.length, STOP_WORD_OFFSET);
  }

  stopWord(random: () => number): string {
    return this.language.stopWords[draw(this.stops, random())]!;
  }

  contentWord(random: () => number): string {
    return this.inflected(draw(this.content, random()), random);
  }

  contentWords(count: number, random: () => number): string[] {
    return Array.from({ length: count }, () => this.contentWord(random));
  }

  private inflected(rank: number, random: () => number): string {
    const { endings } = this.language;
    // Squared, so that the first ending is the most frequent.
    return stemOf(rank, this.language) + endings[Math.floor(random() ** 2 * endings.length)]!;
  }

  /** Running text: sentences of 8 to 20 words. */
  sentences(wordCount: number, random: () => number): string {
    const sentences: string[] = [];
    for (let written = 0; written < wordCount;) {
      const length = Math.min(wordCount - written, 8 + Math.floor(random() * 13));
      const words = this.runningWords(length, random).map(({ word }) => word);
      const text = words.join(' ');
      sentences.push(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
      written += length;
    }
    return sentences.join(' ');
  }

  private runningWords(count: number, random: () => number): { rank: number; word: string }[] {
    return Array.from({ length: count }, () => {
      if (random() < STOP_WORD_SHARE) return { rank: -1, word: this.stopWord(random) };
      const rank = draw(this.content, random());
      return { rank, word: this.inflected(rank, random) };
    });
  }

  /** The least frequent word of the text that `sentences` writes with the same numbers. */
  rarestWord(wordCount: number, random: () => number): string {
    let rarest = { rank: -1, word: this.language.stopWords[0]! };
    for (let written = 0; written < wordCount;) {
      const length = Math.min(wordCount - written, 8 + Math.floor(random() * 13));
      for (const one of this.runningWords(length, random)) if (one.rank > rarest.rank) rarest = one;
      written += length;
    }
    return rarest.word;
  }
}

/** An invented word of two to five syllables; another for every rank. */
function stemOf(rank: number, { syllables }: CorpusLanguage): string {
  let word = syllables[rank % syllables.length]!;
  let left = Math.floor(rank / syllables.length);
  do {
    word += syllables[left % syllables.length]!;
    left = Math.floor(left / syllables.length);
  } while (left > 0);
  return word;
}

/** Running sums of 1 / (rank + offset), and of its square beyond the kernel, ending at 1. */
function cumulative(count: number, offset: number, kernel: number = count): Float64Array {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) {
    const place = rank + 1 + offset;
    sums[rank] = sum += rank < kernel ? 1 / place : (kernel + offset) / (place * place);
  }
  for (let rank = 0; rank < count; rank++) sums[rank]! /= sum;
  return sums;
}

/** The first rank whose running sum is above `at` (0–1). */
function draw(sums: Float64Array, at: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sums[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Numbers from 0 to 1, mulberry32, begun from a hash of the three. */
function randomNumbers(seed: number, stream: number, n: number): () => number {
  let state = mix(mix(mix(seed) ^ stream) ^ n);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The finaliser of MurmurHash3. */
function mix(value: number): number {
  let bits = (value + 0x9e3779b9) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
