import { stemmer as arabicStemmer } from '@orama/stemmers/arabic';
import { stemmer as armenianStemmer } from '@orama/stemmers/armenian';
import { stemmer as bulgarianStemmer } from '@orama/stemmers/bulgarian';
import { stemmer as danishStemmer } from '@orama/stemmers/danish';
import { stemmer as dutchStemmer } from '@orama/stemmers/dutch';
import { stemmer as finnishStemmer } from '@orama/stemmers/finnish';
import { stemmer as frenchStemmer } from '@orama/stemmers/french';
import { stemmer as germanStemmer } from '@orama/stemmers/german';
import { stemmer as greekStemmer } from '@orama/stemmers/greek';
import { stemmer as hungarianStemmer } from '@orama/stemmers/hungarian';
import { stemmer as indianStemmer } from '@orama/stemmers/indian';
import { stemmer as indonesianStemmer } from '@orama/stemmers/indonesian';
import { stemmer as irishStemmer } from '@orama/stemmers/irish';
import { stemmer as italianStemmer } from '@orama/stemmers/italian';
import { stemmer as lithuanianStemmer } from '@orama/stemmers/lithuanian';
import { stemmer as nepaliStemmer } from '@orama/stemmers/nepali';
import { stemmer as norwegianStemmer } from '@orama/stemmers/norwegian';
import { stemmer as portugueseStemmer } from '@orama/stemmers/portuguese';
import { stemmer as romanianStemmer } from '@orama/stemmers/romanian';
import { stemmer as russianStemmer } from '@orama/stemmers/russian';
import { stemmer as serbianStemmer } from '@orama/stemmers/serbian';
import { stemmer as spanishStemmer } from '@orama/stemmers/spanish';
import { stemmer as swedishStemmer } from '@orama/stemmers/swedish';
import { stemmer as tamilStemmer } from '@orama/stemmers/tamil';
import { stemmer as turkishStemmer } from '@orama/stemmers/turkish';
import { stemmer as ukrainianStemmer } from '@orama/stemmers/ukrainian';
import { stopwords as arabicStopWords } from '@orama/stopwords/arabic';
import { stopwords as armenianStopWords } from '@orama/stopwords/armenian';
import { stopwords as bulgarianStopWords } from '@orama/stopwords/bulgarian';
import { stopwords as danishStopWords } from '@orama/stopwords/danish';
import { stopwords as dutchStopWords } from '@orama/stopwords/dutch';
import { stopwords as finnishStopWords } from '@orama/stopwords/finnish';
import { stopwords as frenchStopWords } from '@orama/stopwords/french';
import { stopwords as germanStopWords } from '@orama/stopwords/german';
import { stopwords as greekStopWords } from '@orama/stopwords/greek';
import { stopwords as hungarianStopWords } from '@orama/stopwords/hungarian';
import { stopwords as indianStopWords } from '@orama/stopwords/indian';
import { stopwords as indonesianStopWords } from '@orama/stopwords/indonesian';
import { stopwords as irishStopWords } from '@orama/stopwords/irish';
import { stopwords as italianStopWords } from '@orama/stopwords/italian';
import { stopwords as lithuanianStopWords } from '@orama/stopwords/lithuanian';
import { stopwords as nepaliStopWords } from '@orama/stopwords/nepali';
import { stopwords as norwegianStopWords } from '@orama/stopwords/norwegian';
import { stopwords as portugueseStopWords } from '@orama/stopwords/portuguese';
import { stopwords as romanianStopWords } from '@orama/stopwords/romanian';
import { stopwords as russianStopWords } from '@orama/stopwords/russian';
import { stopwords as serbianStopWords } from '@orama/stopwords/serbian';
import { stopwords as spanishStopWords } from '@orama/stopwords/spanish';
import { stopwords as swedishStopWords } from '@orama/stopwords/swedish';
import { stopwords as tamilStopWords } from '@orama/stopwords/tamil';
import { stopwords as turkishStopWords } from '@orama/stopwords/turkish';
import { stopwords as ukrainianStopWords } from '@orama/stopwords/ukrainian';
import { stemEnglish } from './english-stemmer.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';

/** A language the analyser knows: how it takes words to stems and which words say nothing. */
export interface Language {
  code: string;
  stem: (word: string) => string;
  stopWords: readonly string[];
}

/** Snowball's languages, as @orama/stemmers has them (equal to PostgreSQL's stemmers on their stop words). */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  (
    [
      ['ar', arabicStemmer, arabicStopWords],
      ['hy', armenianStemmer, armenianStopWords],
      ['bg', bulgarianStemmer, bulgarianStopWords],
      ['da', danishStemmer, danishStopWords],
      ['nl', dutchStemmer, dutchStopWords],
      ['en', stemEnglish, ENGLISH_STOP_WORDS],
      ['fi', finnishStemmer, finnishStopWords],
      ['fr', frenchStemmer, frenchStopWords],
      ['de', germanStemmer, germanStopWords],
      ['el', greekStemmer, greekStopWords],
      ['hu', hungarianStemmer, hungarianStopWords],
      ['hi', indianStemmer, indianStopWords],
      ['id', indonesianStemmer, indonesianStopWords],
      ['ga', irishStemmer, irishStopWords],
      ['it', italianStemmer, italianStopWords],
      ['lt', lithuanianStemmer, lithuanianStopWords],
      ['ne', nepaliStemmer, nepaliStopWords],
      ['no', norwegianStemmer, norwegianStopWords],
      ['pt', portugueseStemmer, portugueseStopWords],
      ['ro', romanianStemmer, romanianStopWords],
      ['ru', russianStemmer, russianStopWords],
      ['sr', serbianStemmer, serbianStopWords],
      ['es', spanishStemmer, spanishStopWords],
      ['sv', swedishStemmer, swedishStopWords],
      ['ta', tamilStemmer, tamilStopWords],
      ['tr', turkishStemmer, turkishStopWords],
      ['uk', ukrainianStemmer, ukrainianStopWords],
    ] as const
  ).map(([code, stem, stopWords]) => [code, { code, stem, stopWords }]),
);
