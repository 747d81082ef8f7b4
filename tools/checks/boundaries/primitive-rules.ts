import type { SourceFile } from '../source-files.ts';
import type { Violation } from '../violation.ts';
import { lineAt, nameOf, type Node, parse } from './imports.ts';

/** Product code, apart from the owner itself. */
const PRODUCT = /^(?:apps|libs)\/[^/]+\/src\/.+\.tsx?$/;
const OWNER = 'libs/language';
const NOT_PRODUCT = /^libs\/(?:language|testing|contracts\/src\/gen)\/|\.(?:spec|conformance)\.ts$/;

/** What text is read by: names that a module may not declare for itself, and what they stand for. */
const PRIMITIVES: readonly (readonly [name: RegExp, what: string])[] = [
  [/^(?:split|cut)(?:Into)?Sentences$|^sentenceSegmenter$/, 'sentences'],
  [/^(?:stem|stemOf|stemWord|stemEnglish|sameStem)$|^porter/i, 'stems'],
  [/(?:^|_)(?:STOP|FUNCTION)_WORDS$/, 'stop words'],
  [/^MONTHS$|^MONTH_(?:NAMES|NUMBERS)$/, 'months'],
  [/^NUMBER_WORDS$|^(?:parse|word)Number$|^numberWord$/, 'numbers'],
  [/^SCALES?$/, 'scales of numbers'],
  [/^CURREN(?:CY|CIES)$|^CURRENCY_(?:CODES|SIGNS)$/, 'currencies'],
  [/^SECONDS(?:_OF_UNIT)?$|^UNIT_(?:FORMS|SYMBOLS)$/, 'units'],
  [/^LANGUAGE_NAMES?(?:_PATTERN)?$/, 'names of languages'],
  [/^(?:Word|Sentence)$/, 'words and sentences'],
];
/** Packages and settings that are such primitives themselves. */
const MEANS: readonly (readonly [source: RegExp, what: string])[] = [
  [/'@orama\/(?:stemmers|stopwords)\b[^']*'/, 'stems and stop words'],
  [/\bgranularity: 'sentence'/, 'sentences'],
];

/** Declarations that may stay where they are, by file and name, and why. */
const MAY_DECLARE: ReadonlyMap<string, string> = new Map([
  ['apps/research/src/text/words.ts stemOf', 'folds case and accents, then asks the stemmer of libs/language'],
  ['apps/research/src/records/bounds.ts CURRENCY', 'takes the singular of currencies, which are weights elsewhere'],
  ['libs/documents/src/tables/read-comparisons.ts CURRENCIES', 'matches the beginnings of units of columns'],
  ['libs/documents/src/tables/numeral.ts CURRENCIES', 'has every code of ISO 4217, as cells write them'],
  ['libs/documents/src/tables/numeral.ts SCALES', 'reads abbreviations of cells, in which capitals count'],
  ['libs/documents/src/tables/words.ts stemOf', 'yields dictionary forms, in which the rules for tables are written'],
  ['libs/prose/src/claims/units.ts SCALES', 'compares the words of scales, without their values'],
  ['libs/prose/src/claims/words.ts sameStem', 'compares forms of words in any language'],
  ['libs/reading/src/tree/lemmas.ts stem', 'belongs to the lemmas, which the trained part owns'],
]);

/** The primitives by which text is read have one home: product code declares none of its own. */
export function primitiveViolations(files: readonly SourceFile[], mayDeclare = MAY_DECLARE): Violation[] {
  const product = files.filter(({ path }) => PRODUCT.test(path) && !NOT_PRODUCT.test(path));
  const declared = product.flatMap((file) => declaredIn(file));
  const keys = new Set(declared.map(({ key }) => key));
  const paths = new Set(product.map(({ path }) => path));
  const needless = [...mayDeclare.keys()]
    .map((key) => ({ key, file: key.slice(0, key.indexOf(' ')) }))
    .filter(({ key, file }) => paths.has(file) && !keys.has(key))
    .map(({ key, file }) => ({
      file,
      line: 1,
      message: `declares no '${key.slice(file.length + 1)}'; take it off the list in primitive-rules.ts`,
    }));
  return [
    ...declared.filter(({ key }) => !mayDeclare.has(key)).map(({ violation }) => violation),
    ...product.flatMap(meansOf),
    ...needless,
  ];
}

function declaredIn(file: SourceFile): { key: string; violation: Violation }[] {
  const bytes = Buffer.from(file.text);
  return (parse(file) as Node[]).flatMap(identifiersOf).flatMap((identifier) => {
    const name = nameOf(identifier);
    const what = PRIMITIVES.find(([pattern]) => pattern.test(name))?.[1];
    if (what === undefined) return [];
    const message = `'${name}' is private here; ${OWNER} has the one home of ${what}`;
    return [{ key: `${file.path} ${name}`, violation: { file: file.path, line: lineAt(bytes, identifier), message } }];
  });
}

/** What a statement of a module declares by a plain name. */
function identifiersOf(node: Node): Node[] {
  const statement = node.type === 'ExportDeclaration' ? (node['declaration'] as Node) : node;
  const declarations = statement.type === 'VariableDeclaration' ? (statement['declarations'] as Node[]) : [statement];
  return declarations
    .map((declaration) => (declaration['identifier'] ?? declaration['id']) as Node | undefined)
    .filter((identifier) => identifier?.type === 'Identifier') as Node[];
}

function meansOf({ path, text }: SourceFile): Violation[] {
  const lines = text.split('\n');
  return MEANS.flatMap(([source, what]) =>
    lines.flatMap((line, at) =>
      source.test(line) ? [{ file: path, line: at + 1, message: `${OWNER} has the one home of ${what}` }] : [],
    ),
  );
}
