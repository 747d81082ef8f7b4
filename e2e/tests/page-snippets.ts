import { spawn } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE_MS = 180_000;

interface Snippet {
  language: string;
  line: number;
  /** Under which the reader is told to save it. */
  file: string;
  code: string;
  /** Lines that what it prints has, in this order; `…` stands for anything. */
  expected: string[];
}

/** What runs a page's snippets. */
interface Reader {
  /** An empty folder, where the page is followed. */
  folder: string;
  baseUrl: string;
  apiKey: string;
  dataDir: string;
  /** Null where there is none; snippets in Python are left out then. */
  python: string | null;
}

const FENCE = /^(`{3,})(\w+)([^\n]*)\n([^]*?)\n\1$/gm;
const RUNNABLE = new Set(['sh', 'ts', 'python']);
/** Of programs that a page gives no name. */
const ENDINGS: Readonly<Record<string, string>> = { ts: 'mts', python: 'py' };

/** The fences of a page that are marked `run`, each with the fence marked `output` that follows it. */
export function snippetsOf(markdown: string): Snippet[] {
  const snippets: Snippet[] = [];
  for (const { 2: language, 3: marks, 4: code, index } of markdown.matchAll(FENCE)) {
    const words = marks!.trim().split(' ');
    if (words.includes('output') && snippets.length > 0) snippets.at(-1)!.expected = code!.split('\n');
    if (!words.includes('run')) continue;
    if (!RUNNABLE.has(language!)) throw new Error(`a snippet in ${language} cannot be run`);
    const line = markdown.slice(0, index).split('\n').length;
    snippets.push({
      language: language!,
      line,
      file: /title="([\w.-]+)"/.exec(marks!)?.[1] ?? `line-${line}.${ENDINGS[language!] ?? 'sh'}`,
      code: code!,
      expected: [],
    });
  }
  return snippets;
}

/** Follows a page in one shell, so that what a snippet sets is there for the next; returns what is wrong, or null. */
export async function followPage(markdown: string, reader: Reader): Promise<string | null> {
  const snippets = snippetsOf(markdown).filter(({ language }) => language !== 'python' || reader.python !== null);
  await prepare(reader);
  const script = ['set -eu'];
  for (const [number, { language, file, code }] of snippets.entries()) {
    script.push(`printf '\\n%s %s\\n' "$MARK" ${number}`);
    if (language === 'sh') {
      script.push(code);
      continue;
    }
    await writeFile(join(reader.folder, file), code);
    script.push(language === 'ts' ? `node --no-warnings ${file}` : `${reader.python} ${file}`);
  }
  const { code, printed } = await run(script.join('\n'), reader);
  const parts = printed.split(/^@@snippet (\d+)\n/m).slice(1);
  const output = new Map<number, string>();
  for (let at = 0; at < parts.length; at += 2) output.set(Number(parts[at]), parts[at + 1]!);
  if (code !== 0) {
    const last = snippets[Math.max(...output.keys(), 0)];
    return `line ${last?.line} failed (${code}):\n${last?.code}\n${output.get(Math.max(...output.keys(), 0))}`;
  }
  for (const [number, { line, expected }] of snippets.entries()) {
    const missing = firstMissing(output.get(number) ?? '', expected);
    if (missing !== null) return `line ${line} does not print “${missing}” but:\n${output.get(number)}`;
  }
  return null;
}

/** The first of the lines that is not printed behind those before it. */
function firstMissing(printed: string, expected: readonly string[]): string | null {
  let rest = printed.split('\n');
  for (const line of expected) {
    if (line.trim() === '…') continue;
    const parts = line.split('…').map((part) => part.trim());
    const at = rest.findIndex((each) => hasInOrder(each, parts));
    if (at < 0) return line;
    rest = rest.slice(at + 1);
  }
  return null;
}

function hasInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

/** What a reader has after the first page: the command line, the project's Node, and the SDKs. */
async function prepare({ folder }: Reader): Promise<void> {
  const programs = join(folder, '.programs');
  await mkdir(join(folder, 'node_modules', '@cairn'), { recursive: true });
  await mkdir(programs);
  await symlink(join(ROOT, 'sdk'), join(folder, 'node_modules', '@cairn', 'sdk'));
  await symlink(process.execPath, join(programs, 'node'));
  await writeFile(join(programs, 'cairn'), `#!/bin/sh\nexec node ${ROOT}/apps/cairn/src/main.ts "$@"\n`);
  await chmod(join(programs, 'cairn'), 0o755);
}

function run(script: string, reader: Reader): Promise<{ code: number | null; printed: string }> {
  const child = spawn('sh', ['-c', script], {
    cwd: reader.folder,
    // What a snippet leaves running ends with its group.
    detached: true,
    env: {
      PATH: `${join(reader.folder, '.programs')}:${process.env['PATH']}`,
      HOME: reader.folder,
      MARK: '@@snippet',
      CAIRN_HOME: ROOT,
      CAIRN_DATA_DIR: reader.dataDir,
      CAIRN_BASE_URL: reader.baseUrl,
      CAIRN_API_KEY: reader.apiKey,
      PYTHONPATH: join(ROOT, 'sdk', 'python', 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve) => {
    let printed = '';
    const collect = (bytes: Buffer) => (printed += bytes.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const endGroup = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // Nothing of it runs any more.
      }
    };
    const late = setTimeout(endGroup, PAGE_MS);
    child.once('exit', (code) => {
      clearTimeout(late);
      endGroup();
      child.once('close', () => resolve({ code, printed }));
    });
  });
}
