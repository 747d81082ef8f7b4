export { cutBetweenWords, cutText, isHighSurrogate } from './cut-text.ts';
export { stemEnglish, stemPorter2 } from './english-stemmer.ts';
export { LANGUAGE_NAME_PATTERN, LANGUAGE_NAMES } from './language-names.ts';
export {
  EUROPEAN_MONTH_PATTERN,
  MONTH_NAME_PATTERN,
  MONTH_NUMBERS,
  MONTH_PATTERN,
  monthNames,
  monthOf,
  MONTHS,
} from './months.ts';
export { canonicalFigure, NUMBER_WORD_PATTERN, numberWord, parseNumber, SCALES } from './numbers.ts';
export { type Sentence, sentenceSegmenter, splitSentences } from './sentences.ts';
export { plainText, type Statement, statementsOf } from './statements.ts';
export { ENGLISH_FUNCTION_WORDS, ENGLISH_STOP_WORDS, EUROPEAN_FUNCTION_WORDS } from './stop-words.ts';
export { CURRENCY_CODES, SECONDS_OF_UNIT, UNIT_SYMBOLS } from './units.ts';
export { type Word, wordsOf } from './words.ts';
