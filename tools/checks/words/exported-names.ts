import { basename } from 'node:path/posix';
import { parseSync } from 'oxc-parser';
import { lineOf, type SourceFile } from '../source-files.ts';

export interface DeclaredName {
  name: string;
  line: number;
}

/** What a module exports by name, and the name of its file. What it passes on unchanged is named where it comes from. */
export function exportedNames({ path, text }: SourceFile): DeclaredName[] {
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const exported = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ exportName, importName }) => exportName.name !== importName.name)
    .flatMap(({ exportName: { name, start } }) =>
      name === null || start === null ? [] : [{ name, line: lineOf(text, start) }],
    );
  const file = basename(path);
  return [{ name: file.slice(0, file.lastIndexOf('.')), line: 1 }, ...exported];
}
