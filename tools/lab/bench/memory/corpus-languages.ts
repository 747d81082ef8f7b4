/** What the generator needs to write a language: its share, real stop words by frequency, and what invented words are made of. */
export interface CorpusLanguage {
  code: string;
  /** The text search configuration of PostgreSQL that fits. */
  configuration: 'english' | 'german' | 'spanish';
  /** Share of the chunks, 0–1. */
  share: number;
  /** Most frequent first. */
  stopWords: readonly string[];
  syllables: readonly string[];
  /** Inflections, so that stemmers have work; the first is the most frequent. */
  endings: readonly string[];
}

const words = (text: string) => text.trim().split(/\s+/);

export const CORPUS_LANGUAGES: readonly CorpusLanguage[] = [
  {
    code: 'en',
    configuration: 'english',
    share: 0.7,
    stopWords: words(
      `the of and to in a is that for it was on as with be by at this are from have or an had but not they which were all
       we when there can more if will no out so what up about into them then some its only over any after most other how`,
    ),
    syllables: words(
      'ba cor den fel gar hol ist jun ket lam mor nev ost pel qui ran sol tur ul ver wex yar zin cha bri',
    ),
    endings: ['', 's', 'ed', 'ing', 'er', 'ly', 'ation'],
  },
  {
    code: 'de',
    configuration: 'german',
    share: 0.2,
    stopWords: words(
      `der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass
       sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch`,
    ),
    syllables: words(
      'bach dorf ein fach gelt haus jahr kraft land mut nacht ort platz reich stein tag uhr volk wald zeit',
    ),
    endings: ['', 'en', 'e', 'er', 'ung', 'es', 'lich'],
  },
  {
    code: 'es',
    configuration: 'spanish',
    share: 0.1,
    stopWords: words(
      `de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí porque esta
       entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros`,
    ),
    syllables: words('ca do fe go lu ma ni pe ra so ta ve zo bri cla dre fru gli pla tra cue mie nue sie vue'),
    endings: ['', 's', 'o', 'a', 'ando', 'ado', 'mente'],
  },
];
