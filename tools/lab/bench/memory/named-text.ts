/** People, firms and places of the texts, drawn with a long tail, as names are in an organisation's documents. */
const PEOPLE = 4_000;
const FIRMS = 1_500;
const PLACES = 400;
const TEXT_BYTES = 1_000;
const SYLLABLES = 'bar den kor lin mas nev por rus sal tor vik zan hel bru gan mir dov fel hol jas'.split(' ');
const FILLER = [
  'The matter was discussed at some length and nobody objected to what had been proposed before.',
  'It is expected that the remaining work can be done within the coming weeks, as planned.',
  'All of the figures were checked twice and the small differences were explained in the margin.',
  'As in earlier years, the costs were higher than expected and the savings were lower.',
  'A second delivery had to be returned because several parts were broken on arrival.',
];

/** The n-th document: about 1 KB of sentences that name people, firms and places, between others that name nobody. */
export function nameDocument(n: number): string {
  const { random, sentences } = sentencesOf(n);
  let text = '';
  while (text.length < TEXT_BYTES) text += `${sentences[Math.floor(random() * sentences.length)]!()} `;
  return text;
}

/** The first sentences that name somebody in the n-th document of another row. */
export function nameSentences(n: number, count: number): string[] {
  const { random, sentences } = sentencesOf(n);
  const naming = sentences.slice(0, NAMING_SENTENCES);
  return Array.from({ length: count }, () => naming[Math.floor(random() * naming.length)]!());
}

/** Sentences that name somebody stand first. */
const NAMING_SENTENCES = 4;

function sentencesOf(n: number): { random: () => number; sentences: (() => string)[] } {
  const random = randomNumbers(n + 1);
  const person = () => `${name(draw(random, PEOPLE), 1)} ${name(draw(random, PEOPLE), 2)}`;
  const firm = () => `${name(draw(random, FIRMS), 3)} GmbH`;
  const place = () => name(draw(random, PLACES), 4);
  const sentences = [
    () =>
      `${person()} of ${firm()} met ${person()} in ${place()} on ${1 + draw(random, 28)} March 20${10 + draw(random, 15)}.`,
    () => `${firm()} is based in ${place()} and is led by ${person()}.`,
    () => `${person()} reports to ${person()}.`,
    () => `The list price of the ${name(draw(random, 300), 5)} X${draw(random, 9)} is €${10 + draw(random, 90)}.`,
    () => FILLER[draw(random, FILLER.length)]!,
    () => FILLER[draw(random, FILLER.length)]!,
  ];
  return { random, sentences };
}

/** 0 is drawn most often. */
function draw(random: () => number, below: number): number {
  return Math.floor(below * random() ** 3);
}

function name(n: number, salt: number): string {
  const at = (n * 31 + salt * 7) % 8_000;
  const word = SYLLABLES[at % 20]! + SYLLABLES[Math.floor(at / 20) % 20]! + SYLLABLES[Math.floor(at / 400) % 20]!;
  return word[0]!.toUpperCase() + word.slice(1);
}

function randomNumbers(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
