import { hasNewName } from './expected-answer-type.ts';
import { hasNewIdentifier } from './question-kind.ts';

/**
 * What the thing that a question wants named looks like in a text: “Which file …” wants a path, “Which option …” an
 * option. English, as the cues of `question-kind.ts` are.
 */
export type AnswerShape = 'path' | 'option' | 'command' | 'code' | 'number' | 'name' | 'place';

/** The noun that says what is wanted, after some words that narrow it: “Which git command …”, “What template engine …”. */
const ASKED =
  /(?<!\p{L})(?:what(?:['’]s| is| are| was| were) the (?:name|title)s? of(?: the| an?)?|which|what)\s+((?:[\p{L}\p{N}.+-]+\s+){0,3}[\p{L}\p{N}.+-]+)/iu;
/** Behind the noun. */
const END =
  /^(?:is|are|was|were|do|does|did|has|have|had|can|may|must|should|will|would|of|that|who|in|on|for|from|to|with|by)$/i;
const WHERE = /^where(?= )|(?<!\p{L})in (?:which|what) place(?!\p{L})/iu;

const NOUNS: readonly (readonly [shape: AnswerShape, noun: RegExp])[] = [
  ['path', /^(?:files?|filenames?|folders?|director(?:y|ies)|paths?|logs?)$/i],
  ['option', /^(?:options?|flags?|switch(?:es)?)$/i],
  ['command', /^(?:commands?|programs?|tools?|utilit(?:y|ies)|scripts?|built-?ins?|subcommands?|packages?)$/i],
  [
    'code',
    /^(?:modules?|functions?|methods?|class(?:es)?|exceptions?|attributes?|constants?|variables?|directives?|settings?|parameters?|arguments?|fields?|events?|signals?|keywords?|operators?|types?|decorators?|macros?|librar(?:y|ies)|hooks?|middlewares?|properties|property)$/i,
  ],
  [
    'number',
    /^(?:ports?|status|codes?|ids?|uids?|gids?|versions?|releases?|size|limit|length|percentage|share|temperature|height|depth|age|population|mode|permissions?)$/i,
  ],
  [
    'name',
    /^(?:persons?|people|man|woman|player|singer|actors?|actress(?:es)?|directors?|writers?|authors?|artists?|composers?|presidents?|kings?|queens?|ministers?|cit(?:y|ies)|towns?|villages?|countr(?:y|ies)|states?|count(?:y|ies)|provinces?|regions?|rivers?|islands?|continents?|compan(?:y|ies)|organi[sz]ations?|universit(?:y|ies)|colleges?|schools?|teams?|clubs?|bands?|labels?|films?|movies?|books?|novels?|songs?|albums?|series|shows?|magazines?|newspapers?|stations?|networks?|airports?|languages?|nationality|battles?|awards?|part(?:y|ies)|leagues?)$/i,
  ],
];

/** What the question's words say that the answer looks like; null when they do not. */
export function expectedShape(question: string): AnswerShape | null {
  if (WHERE.test(question.trim())) return 'place';
  const words = ASKED.exec(question)?.[1]?.split(/\s+/) ?? [];
  const end = words.findIndex((word) => END.test(word));
  // The last noun is the one that the others narrow.
  for (const word of (end < 0 ? words : words.slice(0, end)).toReversed()) {
    const shape = NOUNS.find(([, noun]) => noun.test(word))?.[0];
    if (shape !== undefined) return shape;
  }
  return null;
}

/** Signs round a word that do not belong to it. */
const AROUND = /^["'“”‘’([{<,;:!?`]{1,4}|["'“”‘’\]}>,;:!?.`]{1,4}$/gu;
const PATH =
  /^(?:~|\.{1,2})?\/[\w.*<$-]|^[\w*<>-]{2,60}(?:\.[\w-]{1,60}){0,4}\.[A-Za-z]\w{0,9}$|^\.[a-z]\w{2,}|^[\w.-]{1,60}\/[\w./-]*$/;
const OPTION = /^--?[A-Za-z]/;
/** `git-blame`, `pg_dump`, `htpasswd(1)`, or words after “use” and “run”. */
const COMMAND = /^[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)+(?:\(\d\))?$|^[a-z][\w.-]*\(\d\)$/;
const RUN =
  /(?<!\p{L})(?:use|using|run|running|with|by|via|type|issue|invoke|execute|the) (?:the )?([a-z][a-z0-9._-]{1,30})(?: command| program| tool| utility| script|\(\d\))/gu;
const NUMBER = /(?<![\p{L}\p{N}])\d/u;
const PLACE =
  /(?<!\p{L})(?:in|at|near|on|under|below|from|of|inside|within|into|to) (?:the )?(?:\p{Lu}[\p{L}\p{M}'’.-]+|[~.]?\/[\w.*<$-]+)/gu;

/** Whether a text has something of that shape that the question does not say. */
export function hasShape(shape: AnswerShape, text: string, question: string): boolean {
  const known = question.toLowerCase();
  const isNew = (word: string) => !known.includes(word.toLowerCase());
  const words = () => text.split(/\s+/).map((raw) => raw.replace(AROUND, ''));
  switch (shape) {
    case 'path':
      return words().some((word) => PATH.test(word) && isNew(word));
    case 'option':
      return words().some((word) => OPTION.test(word) && isNew(word));
    case 'command':
      return (
        words().some((word) => COMMAND.test(word) && isNew(word)) ||
        [...text.matchAll(RUN)].some(([, name]) => isNew(name!))
      );
    case 'code':
      return hasNewIdentifier(text, question);
    case 'number':
      return NUMBER.test(text.replace(/\d+/g, (figure) => (known.includes(figure) ? '' : figure)));
    case 'name':
      return hasNewName(text, question);
    case 'place':
      return (text.match(PLACE) ?? []).some((place) => isNew(place.split(' ').at(-1)!));
  }
}
