import { placesOf, type SourceFile } from '../source-files.ts';
import type { Violation } from '../violation.ts';

/** A path of the repository in backticks: it begins with a folder of the root and has no placeholder. MCP has methods that look like one. */
const CODE_PATH = /`((?:apps|libs|e2e|sdk|proto|config|docs|tools(?!\/(?:list|call)`)|examples)\/[\w./-]+)`/g;
/** Written when they are generated or measured; they need not be in the checkout. */
const GENERATED = /^(?:docs\/measurements\/|libs\/contracts\/src\/gen\/)/;

/** Paths that a document names in backticks and that do not exist. */
export function missingPaths(files: SourceFile[], paths: string[]): Violation[] {
  const places = placesOf(paths);
  return files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path: file, text }) =>
      text.split('\n').flatMap((line, index) =>
        [...line.matchAll(CODE_PATH)]
          .map((match) => match[1]!.replace(/[/.]$/, ''))
          .filter((path) => !GENERATED.test(path) && !places.has(path))
          .map((path) => ({ file, line: index + 1, message: `path that does not exist: ${path}` })),
      ),
    );
}
