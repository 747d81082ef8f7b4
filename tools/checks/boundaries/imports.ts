import { parseSync } from '@swc/core';
import type { SourceFile } from '../source-files.ts';

export interface Import {
  specifier: string;
  line: number;
  /** Gone at run time, so that `@types/…` alone can answer it. */
  typeOnly: boolean;
  /** What is taken from there; null when it is everything, as in `import * as` and `import()`. */
  names: readonly string[] | null;
}

export interface FileImports {
  imports: Import[];
  /** Every string of the file; a package may be named in one, e.g. for a resolver. */
  strings: Set<string>;
}

export type Node = Record<string, unknown> & { type?: string };

/** Everything a source file imports: statements, `import()`, `require()`, and types. */
export function readImports(file: SourceFile): FileImports {
  const bytes = Buffer.from(file.text);
  const found: FileImports = { imports: [], strings: new Set() };
  visit(parse(file), (node) => {
    if (node.type === 'StringLiteral') found.strings.add(String(node['value']));
    const source = sourceOf(node);
    if (source === null) return;
    found.imports.push({
      specifier: source.specifier,
      line: lineAt(bytes, source.literal),
      typeOnly: isTypeOnly(node),
      names: namesOf(node),
    });
  });
  return found;
}

/** The statements of a source file as swc parses them. */
export function parse(file: SourceFile): unknown {
  const javascript = /\.[cm]?js$/.test(file.path);
  const tsx = file.path.endsWith('.tsx');
  const syntax = javascript ? ({ syntax: 'ecmascript' } as const) : ({ syntax: 'typescript', tsx } as const);
  return parseSync(file.text, { ...syntax, target: 'es2024' }).body;
}

/** The line where a node begins. */
export function lineAt(text: Buffer, node: Node): number {
  // swc counts bytes, from one.
  const { start } = node['span'] as { start: number };
  return text
    .subarray(0, start - 1)
    .toString()
    .split('\n').length;
}

export function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see);
  } else if (typeof value === 'object' && value !== null) {
    see(value as Node);
    for (const child of Object.values(value)) visit(child, see);
  }
}

const DECLARATIONS = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'];

function sourceOf(node: Node): { specifier: string; literal: Node } | null {
  let literal: unknown = null;
  if (DECLARATIONS.includes(node.type ?? '')) literal = node['source'];
  else if (node.type === 'TsImportType') literal = node['argument'];
  else if (node.type === 'TsExternalModuleReference') literal = node['expression'];
  else if (node.type === 'CallExpression' && isLoader(node['callee'] as Node)) {
    literal = (node['arguments'] as { expression: unknown }[])[0]?.expression;
  }
  const string = literal as Node | null | undefined;
  return string?.type === 'StringLiteral' ? { specifier: String(string['value']), literal: string } : null;
}

/** `import`, `require`, `require.resolve` and `import.meta.resolve`. */
function isLoader(callee: Node): boolean {
  if (callee.type === 'Import' || callee['value'] === 'require') return true;
  const object = callee['object'] as Node | undefined;
  const property = callee['property'] as Node | undefined;
  return property?.['value'] === 'resolve' && (object?.['value'] === 'require' || object?.type === 'MetaProperty');
}

function isTypeOnly(node: Node): boolean {
  if (node.type === 'TsImportType' || node['typeOnly'] === true) return true;
  const specifiers = (node['specifiers'] ?? []) as { isTypeOnly?: boolean }[];
  return specifiers.length > 0 && specifiers.every(({ isTypeOnly }) => isTypeOnly === true);
}

function namesOf(node: Node): string[] | null {
  if (node.type === 'TsImportType') {
    const qualifier = node['qualifier'] as Node | null | undefined;
    return qualifier?.type === 'Identifier' ? [String(qualifier['value'])] : null;
  }
  const specifiers = node['specifiers'] as Node[] | undefined;
  if (specifiers === undefined) return null;
  const names: string[] = [];
  for (const specifier of specifiers) {
    if (specifier.type === 'ImportDefaultSpecifier') names.push('default');
    else if (specifier.type === 'ImportSpecifier') names.push(nameOf(specifier['imported'] ?? specifier['local']));
    else if (specifier.type === 'ExportSpecifier') names.push(nameOf(specifier['orig']));
    else return null;
  }
  return names;
}

export function nameOf(identifier: unknown): string {
  return String((identifier as Node)['value']);
}
