import { existsSync, globSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const CONFIG_DOCS = 'docs/configuration.md';

/** The part of `variable()` in libs/service-kit that documentation needs. */
interface Variable {
  name: string;
  effect: string;
  schema: Schema;
}

/** The part of a zod schema that tells the default. */
interface Schema {
  def: { type: string; defaultValue?: unknown; innerType?: Schema; in?: Schema };
  safeParse(value: unknown): { success: boolean };
}

const INTRODUCTION = `# Configuration

Every part reads environment variables once, when it starts, and refuses to start when one of them is not valid. An
empty value counts as not set. Written by \`npm run generate:docs\` from each part's \`src/config.ts\`.
`;

const MIGRATIONS = `A service that is run with the argument \`migrate\` (\`node apps/keys/src/main.ts migrate\`) brings its schema up to date
and ends. It reads this and \`CAIRN_LOG_LEVEL\`; memory reads \`CAIRN_MODELS_FILE\` as well.
`;

/** Variables that several parts read, declared once in a library. */
interface SharedGroup {
  title: string;
  /** Who reads them, as a part's own section says it. */
  readers: string;
  variables: Variable[];
}

const SHARED: (Omit<SharedGroup, 'variables'> & { file: string; exported: string })[] = [
  {
    title: 'Every service',
    readers: 'every service',
    file: 'libs/service-kit/src/config.ts',
    exported: 'serviceVariables',
  },
  {
    title: 'Services that send requests to the outside',
    readers: 'every service that sends requests to the outside',
    file: 'libs/outbound/src/config.ts',
    exported: 'outboundVariables',
  },
];

/** The page that lists every variable of every part: name, default, effect. */
export async function renderConfigDocs(root: string): Promise<string> {
  const base = realpathSync(root);
  const shared = await Promise.all(
    SHARED.map(async ({ file, exported, ...group }) => ({
      ...group,
      variables: await readVariables(join(base, file), exported),
    })),
  );
  const sections = [INTRODUCTION];
  for (const { title, variables } of shared)
    if (variables.length > 0) sections.push(`## ${title}\n\n${table(variables, base)}`);
  const migration = await readVariables(join(base, 'libs/service-kit/src/config.ts'), 'migrationVariables');
  const common = shared.flatMap(({ variables }) => variables);
  if (migration.length > 0) sections.push(`## Migrations\n\n${MIGRATIONS}\n${table(ownOf(migration, common), base)}`);
  for (const config of globSync('apps/*/src/config.ts', { cwd: base }).toSorted()) {
    const variables = await readVariables(join(base, config), 'variables');
    const own = ownOf(variables, common);
    const body = [
      shared.map((group) => sharedOnes(variables, group)).join(''),
      own.length === 0 ? '' : table(own, base),
    ];
    sections.push(`## ${config.split('/')[1]}\n\n${body.filter((text) => text !== '').join('\n')}`);
  }
  return sections.join('\n');
}

function ownOf(variables: Variable[], shared: Variable[]): Variable[] {
  return variables.filter((variable) => !shared.includes(variable));
}

async function readVariables(path: string, exported: string): Promise<Variable[]> {
  if (!existsSync(path)) return [];
  const module = (await import(path)) as Record<string, Record<string, Variable> | undefined>;
  return Object.values(module[exported] ?? {});
}

function sharedOnes(variables: Variable[], { variables: shared, readers }: SharedGroup): string {
  const read = shared.filter((variable) => variables.includes(variable));
  if (read.length === 0) return '';
  if (read.length === shared.length) return `Reads what ${readers} reads.\n`;
  return `Reads, of what ${readers} reads, ${read.map(({ name }) => `\`${name}\``).join(', ')}.\n`;
}

/** Columns are padded as the formatter pads them, so that it leaves the page alone. */
function table(variables: Variable[], base: string): string {
  const rows = variables.map(({ name, effect, schema }) => [
    `\`${name}\``,
    defaultOf(schema, base),
    effect.replaceAll('|', '\\|'),
  ]);
  const all = [['Variable', 'Default', 'Effect'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |\n`;
  const [head, ...body] = all;
  return line(head!) + line(widths.map((width) => '-'.repeat(width))) + body.map(line).join('');
}

function defaultOf(schema: Schema, base: string): string {
  if (!schema.safeParse(undefined).success) return 'required';
  const value = defaultValue(schema);
  if (value === undefined) return 'not set';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A file that ships with the sources: where this checkout lies is nobody's default.
  return `\`${text.replace(`${base}/`, '')}\``;
}

function defaultValue({ def }: Schema): unknown {
  if (def.type === 'default' || def.type === 'prefault') return def.defaultValue;
  const inner = def.innerType ?? def.in;
  return inner === undefined ? undefined : defaultValue(inner);
}

async function main(): Promise<void> {
  const root = join(import.meta.dirname, '..');
  const file = join(root, CONFIG_DOCS);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await renderConfigDocs(root));
  process.stdout.write(`wrote ${CONFIG_DOCS}\n`);
}

if (import.meta.main) void main();
