import { bestOf, type Weights } from '../src/learned/linear-model.ts';
import type { Lexicon } from '../src/learned/lexicon.ts';
import { BEGIN, INSIDE, NameDetector } from '../src/names/detector.ts';
import { typeNumber } from '../src/names/evidence.ts';
import { gazetteer } from '../src/names/gazetteer.ts';
import { NAME_TYPES, NameTyper } from '../src/names/typer.ts';
import { groupSentences, tokenize } from '../src/text/tokens.ts';
import type { ParsedSentence } from '../src/tree/sentence.ts';
import type { SentenceParser } from '../src/tree/sentence-parser.ts';
import type { NamedText } from './name-sets.ts';
import { Perceptron, randomNumbers, shuffle } from './perceptron.ts';

const DETECTOR_BITS = 19;
const TYPER_BITS = 18;
const EPOCHS = 10;

interface Example {
  sentence: ParsedSentence;
  known: Int32Array;
  marks: Int32Array;
  spans: { from: number; to: number; type: number }[];
}

function examplesOf({ text, spans }: NamedText, parser: SentenceParser, lexicon: Lexicon): Example[] {
  return groupSentences(text, tokenize(text)).map((tokens) => {
    const sentence = parser.parse(tokens);
    const marks = new Int32Array(tokens.length);
    const placed: Example['spans'] = [];
    for (const span of spans) {
      const inside = sentence.tokens.filter((token) => token.start >= span.start && token.end <= span.end);
      if (inside.length === 0) continue;
      for (const token of inside) marks[token.index] = token === inside[0] ? BEGIN : INSIDE;
      placed.push({ from: inside[0]!.index, to: inside.at(-1)!.index + 1, type: typeNumber(span.type) });
    }
    return { sentence, known: gazetteer(sentence.words, lexicon), marks, spans: placed };
  });
}

/** `typed`: texts in which not every name is marked, from which only types are learned. */
export function trainNames(
  texts: readonly NamedText[],
  typed: readonly NamedText[],
  parser: SentenceParser,
  lexicon: Lexicon,
): { detector: Perceptron; typer: Perceptron } {
  const examples = texts.flatMap((text) => examplesOf(text, parser, lexicon));
  const more = typed.flatMap((text) => examplesOf(text, parser, lexicon));
  return { detector: learnPlaces(examples), typer: learnTypes([...examples, ...more], lexicon) };
}

/** What the model's file holds of them. */
export function quantisedNames({ detector, typer }: { detector: Perceptron; typer: Perceptron }): {
  detector: Weights;
  typer: Weights;
} {
  return { detector: detector.quantised(8, 0.04), typer: typer.quantised(8, 0.04) };
}

function learnPlaces(examples: readonly Example[]): Perceptron {
  const perceptron = new Perceptron(DETECTOR_BITS, 3);
  const detector = new NameDetector(perceptron);
  const random = randomNumbers(3);
  const order = [...examples];
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    for (const { sentence, known, marks } of order)
      detector.train(sentence.words, sentence.tags, known, (i, rows, count) => {
        const guess = bestOf(perceptron.score(rows, count), 3);
        perceptron.update(marks[i]!, guess, rows, count);
        return epoch > 0 ? guess : marks[i]!;
      });
  }
  perceptron.average();
  return perceptron;
}

function learnTypes(examples: readonly Example[], lexicon: Lexicon): Perceptron {
  const perceptron = new Perceptron(TYPER_BITS, NAME_TYPES.length);
  const typer = new NameTyper(perceptron, lexicon);
  const random = randomNumbers(5);
  const order = examples.flatMap(({ sentence, spans }) => spans.map((span) => ({ sentence, span })));
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    for (const { sentence, span } of order)
      typer.train(sentence.words, sentence.tokens, span.from, span.to, (rows, count) => {
        perceptron.update(span.type, bestOf(perceptron.score(rows, count), NAME_TYPES.length), rows, count);
      });
  }
  perceptron.average();
  return perceptron;
}
