import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const HERE = import.meta.dirname;
const INSTALLED = join(ROOT, 'node_modules', '.cache', 'cairn-opensearch');
const JARS = join(INSTALLED, 'jars');
const CLASSES = join(INSTALLED, 'classes');
const BENCH = join(ROOT, 'tools', 'lab', 'bench', 'memory', 'opensearch', 'main.ts');
const SPECS = '<rootDir>/tests/opensearch/*.cluster.ts';

/**
 * Installs OpenSearch from Maven Central and runs the specs that need a real cluster of it; with `measure`, compares it
 * with the index in PostgreSQL.
 */
function main(args: readonly string[]): number {
  const missing = ['java', 'javac', 'mvn'].filter((command) => spawnSync(command, ['-version']).status !== 0);
  if (missing.length > 0) {
    process.stderr.write(
      `\nSKIPPED: no spec of OpenSearch was run, because ${missing.join(', ')} is not on the PATH.\n` +
        'Install a Java development kit of version 17 or later and Maven, and run this again.\n\n',
    );
    return 0;
  }
  mkdirSync(CLASSES, { recursive: true });
  const pom = join(HERE, 'pom.xml');
  const copied = run('mvn', ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${JARS}`]);
  if (copied !== 0) return copied;
  const compiled = run('javac', ['-cp', join(JARS, '*'), '-d', CLASSES, join(HERE, 'ClusterNode.java')]);
  if (compiled !== 0) return compiled;
  const memory = join(ROOT, 'apps', 'memory');
  const classPath = [join(JARS, '*'), CLASSES].join(delimiter);
  if (args[0] === 'measure') return run(process.execPath, [BENCH, '--class-path', classPath, ...args.slice(1)]);
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  return run(
    process.execPath,
    [jest, '-c', join(ROOT, 'jest.config.ts'), '--rootDir', memory, '--runInBand', '--testMatch', SPECS, ...args],
    { CAIRN_TEST_OPENSEARCH: classPath },
  );
}

function run(command: string, args: readonly string[], variables: Record<string, string> = {}): number {
  process.stdout.write(`${command} ${args.join(' ')}\n`);
  return spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...variables } }).status ?? 1;
}

process.exitCode = main(process.argv.slice(2));
