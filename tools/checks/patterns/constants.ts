import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A node of the syntax tree, in ESTree's form. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** What names stand for in one block: a constant's initialiser, an import, or null for what may change. */
export type Scope = ReadonlyMap<string, Binding>;
type Binding = { value: Node } | { from: string; name: string } | null;

interface Place {
  file: string;
  /** The innermost first. */
  scopes: readonly Scope[];
}

type Constant = string | number | Pattern | Constant[] | Map<string, Constant> | undefined;

/** A regular expression that is part of another. */
export class Pattern {
  readonly source: string;
  readonly flags: string;

  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = flags;
  }
}

/** The names that a node declares for what lies inside it; null for a node that is no scope. */
export function scopeOf(node: Node): Scope | null {
  if (node.type === 'Program' || node.type === 'BlockStatement') return declaredIn(node['body'] as Node[]);
  if (!node.type.includes('Function')) return null;
  const { params } = node as Node & { params: Node | Node[] };
  return new Map(namesIn(params).map((name) => [name, null]));
}

function declaredIn(statements: readonly Node[]): Scope {
  const scope = new Map<string, Binding>();
  for (const statement of statements) {
    if (statement.type === 'ImportDeclaration') declareImports(scope, statement);
    if (statement.type === 'ExportNamedDeclaration' && statement['source'] !== null) declareReexports(scope, statement);
    const exported =
      statement.type === 'ExportNamedDeclaration' ? (statement['declaration'] as Node | null) : statement;
    if (exported?.type === 'VariableDeclaration') declareVariables(scope, exported);
  }
  return scope;
}

function declareImports(scope: Map<string, Binding>, statement: Node): void {
  const from = (statement['source'] as Node)['value'] as string;
  for (const specifier of statement['specifiers'] as Node[]) {
    const imported = specifier['imported'] as Node | undefined;
    if (imported !== undefined) scope.set(nameOf(specifier['local'])!, { from, name: nameOf(imported)! });
  }
}

function declareReexports(scope: Map<string, Binding>, statement: Node): void {
  const from = (statement['source'] as Node)['value'] as string;
  for (const specifier of statement['specifiers'] as Node[])
    scope.set(nameOf(specifier['exported'])!, { from, name: nameOf(specifier['local'])! });
}

function declareVariables(scope: Map<string, Binding>, declaration: Node): void {
  for (const declarator of declaration['declarations'] as Node[]) {
    const target = declarator['id'] as Node;
    const value = declarator['init'] as Node | null;
    const isConstant = declaration['kind'] === 'const' && target.type === 'Identifier' && value !== null;
    if (isConstant) scope.set(nameOf(target)!, { value });
    else for (const name of namesIn(target)) scope.set(name, null);
  }
}

function namesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(namesIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, name } = node as { type?: string; name?: unknown };
  return type === 'Identifier' && typeof name === 'string' ? [name] : Object.values(node).flatMap(namesIn);
}

function nameOf(node: unknown): string | undefined {
  const { name } = (node ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : undefined;
}

/** Computes what an expression is made of when that is constant: strings, lists of them, other patterns, across modules. */
export class ConstantEvaluator {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #modules = new Map<string, Scope>();

  /** `texts` are the sources by path. */
  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  /** Undefined for what is not constant. */
  evaluate(node: Node, place: Place): Constant {
    switch (node.type) {
      case 'Literal':
        return literal(node);
      case 'TemplateLiteral':
        return this.#template(node, place, 'cooked');
      case 'TaggedTemplateExpression':
        return isStringRaw(node['tag'] as Node) ? this.#template(node['quasi'] as Node, place, 'raw') : undefined;
      case 'BinaryExpression':
        return this.#sum(node, place);
      case 'Identifier':
        return this.#named(node['name'] as string, place);
      case 'ArrayExpression':
        return this.#list(node, place);
      case 'ObjectExpression':
        return this.#record(node, place);
      case 'NewExpression':
      case 'CallExpression':
        return this.#call(node, place);
      case 'MemberExpression':
        return this.#member(node, place);
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'ParenthesizedExpression':
        return this.evaluate(node['expression'] as Node, place);
      default:
        return undefined;
    }
  }

  #template(node: Node, place: Place, form: 'cooked' | 'raw'): string | undefined {
    const quasis = node['quasis'] as { value: Record<'cooked' | 'raw', string> }[];
    const holes = (node['expressions'] as Node[]).map((expression) => this.evaluate(expression, place));
    if (!holes.every((hole) => typeof hole === 'string' || typeof hole === 'number')) return undefined;
    return quasis.map(({ value }, index) => `${value[form]}${holes[index] ?? ''}`).join('');
  }

  #sum(node: Node, place: Place): Constant {
    const left = this.evaluate(node['left'] as Node, place);
    const right = this.evaluate(node['right'] as Node, place);
    if (node['operator'] !== '+') return undefined;
    if (typeof left === 'number' && typeof right === 'number') return left + right;
    return typeof left === 'string' && typeof right === 'string' ? left + right : undefined;
  }

  #named(name: string, place: Place): Constant {
    const depth = place.scopes.findIndex((scope) => scope.has(name));
    const binding = depth < 0 ? null : place.scopes[depth]!.get(name)!;
    if (binding === null) return undefined;
    if ('value' in binding) return this.evaluate(binding.value, { ...place, scopes: place.scopes.slice(depth) });
    const file = fileOf(binding.from, place.file);
    if (file === null) return undefined;
    const module = this.#module(file);
    return module === null ? undefined : this.#named(binding.name, { file, scopes: [module] });
  }

  #module(file: string): Scope | null {
    const known = this.#modules.get(file);
    const text = this.#texts.get(file);
    if (known !== undefined || text === undefined) return known ?? null;
    const scope = scopeOf(parseSync(file, text).program as unknown as Node)!;
    this.#modules.set(file, scope);
    return scope;
  }

  #list(node: Node, place: Place): Constant[] | undefined {
    const values = (node['elements'] as Node[]).flatMap((element): Constant[] => {
      if (element.type !== 'SpreadElement') return [this.evaluate(element, place)];
      const spread = this.evaluate(element['argument'] as Node, place);
      return Array.isArray(spread) ? spread : [undefined];
    });
    return values.includes(undefined) ? undefined : values;
  }

  #record(node: Node, place: Place): Map<string, Constant> | undefined {
    const record = new Map<string, Constant>();
    for (const property of node['properties'] as Node[]) {
      const key = property['key'] as Node | undefined;
      if (key === undefined || property['computed'] === true) return undefined;
      record.set(nameOf(key) ?? String(key['value']), this.evaluate(property['value'] as Node, place));
    }
    return record;
  }

  #call(node: Node, place: Place): Constant {
    const callee = node['callee'] as Node;
    const [first, second] = (node['arguments'] as Node[]).map((argument) => this.evaluate(argument, place));
    if (nameOf(callee) === 'RegExp' && typeof first === 'string')
      return new Pattern(first, typeof second === 'string' ? second : '');
    if (callee.type !== 'MemberExpression') return undefined;
    const method = nameOf(callee['property']);
    if (nameOf(callee['object']) === 'Object' && first instanceof Map) {
      if (method === 'keys') return [...first.keys()];
      if (method === 'values') return [...first.values()];
    }
    const object = this.evaluate(callee['object'] as Node, place);
    if (method === 'join' && Array.isArray(object)) return object.join(typeof first === 'string' ? first : ',');
    return undefined;
  }

  #member(node: Node, place: Place): Constant {
    const object = this.evaluate(node['object'] as Node, place);
    const property = node['property'] as Node;
    if (object instanceof Pattern && nameOf(property) === 'source') return object.source;
    if (!(object instanceof Map)) return undefined;
    if (node['computed'] !== true) return object.get(nameOf(property) ?? '');
    const key = this.evaluate(property, place);
    if (typeof key === 'string') return object.get(key);
    // Whichever entry is meant, the pattern has it among these.
    const values = [...object.values()];
    return values.every((value) => typeof value === 'string') ? `(?:${values.join('|')})` : undefined;
  }
}

/** The source file that an import names: one beside the importing file, or the index of a library of this repository. */
function fileOf(specifier: string, from: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const library = /^@cairn\/([a-z-]+)$/.exec(specifier)?.[1];
  return library === undefined ? null : `libs/${library}/src/index.ts`;
}

function literal(node: Node): Constant {
  const { value, regex } = node as Node & { value: unknown; regex?: { pattern: string; flags: string } };
  if (regex !== undefined) return new Pattern(regex.pattern, regex.flags);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function isStringRaw(tag: Node): boolean {
  return nameOf(tag['object']) === 'String' && nameOf(tag['property']) === 'raw';
}
