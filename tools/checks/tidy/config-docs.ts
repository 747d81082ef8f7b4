import { lineOf, type SourceFile } from '../source-files.ts';
import type { Violation } from '../violation.ts';
import {
  CONFIG_DOCS,
  KNOWN_VARIABLES,
  renderConfigDocs,
  renderKnownVariables,
} from '../../release/write-config-docs.ts';

const CONFIG = /^(?:apps\/[^/]+|libs\/[^/]+)\/src\/(?:config\/)?config\.ts$/;
const COMMAND_LINE = 'apps/cairn/src/main.ts';
const REMEDY = 'run npm run generate:docs';

interface Name {
  name: string;
  file: string;
  line: number;
}

/** The configuration page lists exactly the variables that the sources read, as its generator writes it. */
export async function configDocsViolations(root: string, files: SourceFile[]): Promise<Violation[]> {
  const declared = [
    ...files.filter(({ path }) => CONFIG.test(path)).flatMap((file) => names(file, /\bvariable\(\s*'([A-Z0-9_]+)'/g)),
    ...files.filter(({ path }) => path === COMMAND_LINE).flatMap((file) => names(file, /\b(CAIRN_[A-Z0-9_]+)\b/g)),
  ];
  if (declared.length === 0) return [];
  const page = files.find(({ path }) => path === CONFIG_DOCS);
  if (page === undefined) return [{ file: CONFIG_DOCS, line: 1, message: `is missing; ${REMEDY}` }];
  const documented = names(page, /^\| `([A-Z0-9_]+)`/gm);
  const found = [
    ...missing(declared, documented, `is not in ${CONFIG_DOCS}; ${REMEDY}`),
    ...missing(documented, declared, `is read by nothing; ${REMEDY}`),
  ];
  if (found.length > 0) return found;
  const current = await renderConfigDocs(root);
  if (current !== page.text) return [differs(page, current)];
  const list = files.find(({ path }) => path === KNOWN_VARIABLES);
  return list === undefined || list.text === (await renderKnownVariables(root))
    ? []
    : [{ file: KNOWN_VARIABLES, line: 1, message: `not what the sources say; ${REMEDY}` }];
}

function names(file: SourceFile, pattern: RegExp): Name[] {
  return [...file.text.matchAll(pattern)].map((match) => ({
    name: match[1]!,
    file: file.path,
    line: lineOf(file.text, match.index),
  }));
}

function missing(from: Name[], where: Name[], what: string): Violation[] {
  const known = new Set(where.map(({ name }) => name));
  return from
    .filter(({ name }) => !known.has(name))
    .map(({ name, file, line }) => ({ file, line, message: `${name} ${what}` }));
}

/** Where a generated page is not what its generator writes. */
export function differs(page: SourceFile, current: string): Violation {
  const expected = current.split('\n');
  const line = page.text.split('\n').findIndex((text, index) => text !== expected[index]) + 1;
  return { file: page.path, line: Math.max(line, 1), message: `not what the sources say; ${REMEDY}` };
}
