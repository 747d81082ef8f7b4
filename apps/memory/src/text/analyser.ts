import type { Analyser } from '@cairn/search-index';
import { analyse, ANALYSER_VERSION, CHUNK_WORDS_MAX } from './analyse.ts';
import { DEFAULT_LANGUAGE, detectLanguage, detectConfidently } from './detect-language.ts';
import { tokenise } from './tokenise.ts';
import { termsOf } from './word-terms.ts';

/** How memory reads the texts that its indexes hold. */
export const ANALYSER: Analyser = {
  version: ANALYSER_VERSION,
  chunkWordsMax: CHUNK_WORDS_MAX,
  defaultLanguage: DEFAULT_LANGUAGE,
  detectLanguage,
  detectConfidently: detectConfidently,
  analyse,
  tokenise,
  termsOf,
};
