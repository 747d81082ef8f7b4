import type { SourceFile } from '../source-files.ts';
import { lineAt, nameOf, type Node, parse, visit } from './imports.ts';

export interface Export {
  name: string;
  line: number;
  /** The file itself uses what it exports. */
  isUsedInside: boolean;
}

/** What a file exports by name. A default export is loaded by a tool that knows the file, e.g. by jest. */
export function readExports(file: SourceFile): Export[] {
  const body = parse(file) as Node[];
  const exported = body.flatMap(exportedNames).filter((identifier) => nameOf(identifier) !== 'default');
  if (exported.length === 0) return [];
  const occurrences = new Map<string, number>();
  visit(body, (node) => {
    if (node.type !== 'Identifier') return;
    const name = nameOf(node);
    occurrences.set(name, (occurrences.get(name) ?? 0) + 1);
  });
  const bytes = Buffer.from(file.text);
  return exported.map((identifier) => {
    const name = nameOf(identifier);
    return { name, line: lineAt(bytes, identifier), isUsedInside: (occurrences.get(name) ?? 0) > 1 };
  });
}

/** The identifiers by which a statement exports. */
function exportedNames(node: Node): Node[] {
  if (node.type === 'ExportNamedDeclaration') {
    return ((node['specifiers'] ?? []) as Node[]).map(
      (specifier) => (specifier['exported'] ?? specifier['orig'] ?? specifier['name']) as Node,
    );
  }
  if (node.type !== 'ExportDeclaration') return [];
  const declaration = node['declaration'] as Node;
  if (declaration.type !== 'VariableDeclaration') return [(declaration['identifier'] ?? declaration['id']) as Node];
  return (declaration['declarations'] as Node[]).flatMap(({ id }) => boundNames(id as Node));
}

/** What a declared variable, which may be a pattern, is called. */
function boundNames(pattern: Node): Node[] {
  if (pattern.type === 'Identifier') return [pattern];
  if (pattern.type === 'ArrayPattern') return (pattern['elements'] as Node[]).flatMap(boundNames);
  return (pattern['properties'] as Node[]).flatMap((property) =>
    boundNames((property['value'] ?? property['key']) as Node),
  );
}
