import { bestOf, type Weights } from '../../../../libs/reading/src/learned/linear-model.ts';
import type { Lexicon } from '../../../../libs/reading/src/learned/lexicon.ts';
import { BEGIN, INSIDE, NameDetector } from '../../../../libs/reading/src/names/detector.ts';
import { typeNumber } from '../../../../libs/reading/src/names/evidence.ts';
import { gazetteer } from '../../../../libs/reading/src/names/gazetteer.ts';
import { quotations } from '../../../../libs/reading/src/names/quotes.ts';
import { NAME_TYPES, NameClassifier } from '../../../../libs/reading/src/names/name-classifier.ts';
import { groupSentences, tokenize } from '../../../../libs/reading/src/text/tokens.ts';
import type { ParsedSentence } from '../../../../libs/reading/src/tree/sentence.ts';
import type { SentenceParser } from '../../../../libs/reading/src/tree/sentence-parser.ts';
import type { NamedText } from './named-text.ts';
import { randomNumbers, shuffle } from './perceptron.ts';
import { Softmax } from './softmax.ts';

const DETECTOR_BITS = 19;
const TYPER_BITS = 18;
const EPOCHS = 10;
/** How weights are stored: 127 is 4.2. */
const SCALE = 30;
const SMALLEST = 0.04;

interface Example {
  sentence: ParsedSentence;
  known: Int32Array;
  quoted: Int32Array;
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
      const last = inside.at(-1)!;
      // Some sets mark "British" as a place, others as another name.
      const type = span.type === 'place' && last.tag === 'JJ' ? 'other' : span.type;
      placed.push({ from: inside[0]!.index, to: last.index + 1, type: typeNumber(type) });
    }
    const { words } = sentence;
    return { sentence, known: gazetteer(words, lexicon), quoted: quotations(words), marks, spans: placed };
  });
}

/** `typed`: texts in which not every name is marked, from which only types are learned. */
export function trainNames(
  texts: readonly NamedText[],
  typed: readonly NamedText[],
  parser: SentenceParser,
  lexicon: Lexicon,
): { detector: Softmax; typer: Softmax } {
  const examples = texts.flatMap((text) => examplesOf(text, parser, lexicon));
  const more = typed.flatMap((text) => examplesOf(text, parser, lexicon));
  return { detector: learnPlaces(examples), typer: learnTypes([...examples, ...more], lexicon) };
}

/** What the model's file holds of them. */
export function quantisedNames({ detector, typer }: { detector: Softmax; typer: Softmax }): {
  detector: Weights;
  typer: Weights;
} {
  return { detector: detector.quantised(SCALE, SMALLEST), typer: typer.quantised(SCALE, SMALLEST) };
}

function learnPlaces(examples: readonly Example[]): Softmax {
  const model = new Softmax(DETECTOR_BITS, 3);
  const detector = new NameDetector(model);
  const random = randomNumbers(3);
  const order = [...examples];
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    for (const { sentence, known, quoted, marks } of order)
      detector.train(sentence.words, sentence.tags, known, quoted, (i, rows, count) => {
        const guess = bestOf(model.score(rows, count), 3);
        model.update(marks[i]!, rows, count);
        return epoch > 0 ? guess : marks[i]!;
      });
  }
  return model;
}

function learnTypes(examples: readonly Example[], lexicon: Lexicon): Softmax {
  const model = new Softmax(TYPER_BITS, NAME_TYPES.length);
  const typer = new NameClassifier(model, lexicon);
  const random = randomNumbers(5);
  const order = examples.flatMap(({ sentence, quoted, spans }) => spans.map((span) => ({ sentence, quoted, span })));
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    for (const { sentence, quoted, span } of order)
      typer.train(sentence.words, sentence.tokens, quoted, span.from, span.to, (rows, count) => {
        model.score(rows, count);
        model.update(span.type, rows, count);
      });
  }
  return model;
}
