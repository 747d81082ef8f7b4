import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';

/** Puts a section into a measurement page in place of its earlier version, leaving the others as they are. */
export async function writeSection(file: string, title: string, name: string, body: string): Promise<void> {
  const begin = `<!-- ${name}: begin -->`;
  const end = `<!-- ${name}: end -->`;
  const section = `${begin}\n${body.trim()}\n${end}`;
  const before = await readFile(file, 'utf8').catch(() => `# ${title}\n`);
  const place = before.indexOf(begin);
  const after =
    place === -1
      ? `${before.trimEnd()}\n\n${section}\n`
      : before.slice(0, place) + section + before.slice(before.indexOf(end) + end.length);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, after);
}

/** On what a measurement was made: enough to judge it by, nothing that names the machine. */
export function environment(): string {
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return `${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${cpus().length} cores of ${processor}, ${memory} GiB, Node ${process.versions.node}, PostgreSQL 17 on the same machine`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
