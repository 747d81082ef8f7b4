import { type Comment, parseSync } from 'oxc-parser';
import { lineOf, type SourceFile } from '../source-files.ts';
import { ConstantEvaluator, type Node, Pattern, type Scope, scopeOf } from './constants.ts';

/** A regular expression of the product, as the engine gets to see it. */
export interface FoundPattern {
  file: string;
  line: number;
  /** Null when it is constructed from what is not constant. */
  source: string | null;
  flags: string;
  /** What an annotation beside it claims. */
  bound: PatternBound | null;
}

/** `pattern-bound: 256 chars — reason`: why a pattern that is not linear may stay. */
interface PatternBound {
  maxChars: number;
  reason: string;
}

const SCRIPT = /\.[cm]?[jt]s$/;
/** Specs and their harnesses read nothing of strangers. */
const TEST = /\.(?:spec|conformance)\.[cm]?[jt]s$|(?:^|\/)tests\/|^e2e\//;
const PRODUCT = /^(?:apps|libs|sdk|tools|e2e)\//;
const ANNOTATION = /^\*?\s?pattern-bound: (\d{1,6}) chars — (\S.*)$/;
const NEEDS_PARSING = /RegExp|\//;

/** Every regular expression of the product's sources: literals, and constructions with the constants they are made of. */
export function collectPatterns(files: readonly SourceFile[]): FoundPattern[] {
  const evaluator = new ConstantEvaluator(new Map(files.map(({ path, text }) => [path, text])));
  return files
    .filter(({ path, text }) => SCRIPT.test(path) && PRODUCT.test(path) && !TEST.test(path) && NEEDS_PARSING.test(text))
    .flatMap((file) => patternsOf(file, evaluator));
}

function patternsOf({ path, text }: SourceFile, evaluator: ConstantEvaluator): FoundPattern[] {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const bounds = boundsByLine(comments, text);
  const found: FoundPattern[] = [];
  const add = (node: Node, pattern: { source: string | null; flags: string }) => {
    const line = lineOf(text, node.start);
    found.push({ file: path, line, ...pattern, bound: bounds.get(line) ?? bounds.get(line - 1) ?? null });
  };
  walk(program as unknown as Node, [], (node, scopes) => {
    const literal = node['regex'] as { pattern: string; flags: string } | undefined;
    if (node.type === 'Literal' && literal !== undefined) add(node, { source: literal.pattern, flags: literal.flags });
    if (isConstruction(node)) add(node, construction(node, path, scopes, evaluator));
  });
  return found;
}

function isConstruction(node: Node): boolean {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return false;
  const callee = node['callee'] as Node;
  const name = callee.type === 'MemberExpression' ? (callee['property'] as Node) : callee;
  return name.type === 'Identifier' && name['name'] === 'RegExp';
}

function construction(
  node: Node,
  file: string,
  scopes: Scope[],
  evaluator: ConstantEvaluator,
): { source: string | null; flags: string } {
  const [pattern, flags] = node['arguments'] as (Node | undefined)[];
  const value = pattern === undefined ? '' : evaluator.evaluate(pattern, { file, scopes });
  const given = flags === undefined ? undefined : evaluator.evaluate(flags, { file, scopes });
  if (flags !== undefined && typeof given !== 'string') return { source: null, flags: '' };
  if (value instanceof Pattern) return { source: value.source, flags: (given as string | undefined) ?? value.flags };
  return { source: typeof value === 'string' ? value : null, flags: (given as string | undefined) ?? '' };
}

function boundsByLine(comments: readonly Comment[], text: string): Map<number, PatternBound> {
  return new Map(
    comments.flatMap(({ value, end }): [number, PatternBound][] => {
      const annotation = ANNOTATION.exec(value.trim());
      if (annotation === null) return [];
      return [[lineOf(text, end), { maxChars: Number(annotation[1]), reason: annotation[2]! }]];
    }),
  );
}

/** Visits every node with the scopes that surround it, the innermost first. */
function walk(node: Node, scopes: Scope[], visit: (node: Node, scopes: Scope[]) => void): void {
  const own = scopeOf(node);
  const inner = own === null ? scopes : [own, ...scopes];
  visit(node, inner);
  for (const child of Object.values(node))
    for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) walk(each, inner, visit);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
