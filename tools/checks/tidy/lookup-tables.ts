import type { SourceFile } from '../source-files.ts';
import type { Violation } from '../violation.ts';

const PRODUCT = /^(?:apps|libs)\/[^/]+\/src\/.*(?<!\.spec)\.ts$/;
const TABLE = /^(?:export )?const ([A-Z][A-Z0-9_]*): (?:Readonly<)?Record<string,/;

/**
 * A table with string keys that is looked up by an expression is a Map: in an object the words "constructor" and
 * "__proto__" of a foreign text find what every object inherits.
 */
export function lookupTableViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => PRODUCT.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const name = TABLE.exec(line)?.[1];
        if (name === undefined || !text.includes(`${name}[`)) return [];
        const message = `${name} is looked up by strings; make it a Map, because objects inherit "constructor"`;
        return [{ file: path, line: index + 1, message }];
      }),
    );
}
