/** Matches the English name of a language; for use in patterns. */
export const LANGUAGE_NAME_PATTERN =
  'Arabic|Bulgarian|Chinese|Mandarin|Cantonese|Croatian|Czech|Danish|Dutch|English|Estonian|Finnish|French|German|Greek|Hebrew|Hindi|Hungarian|Italian|Japanese|Korean|Norwegian|Persian|Polish|Portuguese|Romanian|Russian|Serbian|Slovak|Spanish|Swedish|Tamil|Thai|Turkish|Ukrainian|Urdu|Vietnamese';

/** The English names of languages in lower case. */
export const LANGUAGE_NAMES: readonly string[] = LANGUAGE_NAME_PATTERN.toLowerCase().split('|');
