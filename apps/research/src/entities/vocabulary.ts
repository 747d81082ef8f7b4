/** Names of languages, for use in patterns. */
export const LANGUAGES =
  'Arabic|Bulgarian|Chinese|Mandarin|Cantonese|Croatian|Czech|Danish|Dutch|English|Estonian|Finnish|French|German|Greek|Hebrew|Hindi|Hungarian|Italian|Japanese|Korean|Norwegian|Persian|Polish|Portuguese|Romanian|Russian|Serbian|Slovak|Spanish|Swedish|Tamil|Thai|Turkish|Ukrainian|Urdu|Vietnamese';

/** Tells a school from an employer by its name. */
export const SCHOOL = /universit|college|institut|school|academy|polytechnic|ETH\b|EPFL|MIT\b|hochschule|école/iu;
