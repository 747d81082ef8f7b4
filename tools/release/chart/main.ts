import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installPrograms } from './programs.ts';
import { REFUSED_VALUES } from './refused-values.ts';
import { CHART, parseManifests, RELEASE, renderedFile, valuesFile, valueSets, renderedText } from './rendered.ts';
import { tryOnServer } from './server.ts';
import { strictProblems } from './strict-check.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FOLDER = join(ROOT, 'dist', 'chart');
const EXAMPLES = 'deploy/helm/examples';
const OUTPUT_MAX_BYTES = 64 * 1_048_576;

/**
 * `npm run chart`: lints and renders deploy/helm/cairn with every set of values, and checks the manifests by the
 * schemas of Kubernetes. With --write it updates deploy/helm/rendered, on which `npm test` runs its own checks; with
 * --server it also installs, upgrades and rolls back on the API server that KUBECONFIG names.
 */
function main(): void {
  const { values } = parseArgs({ options: { write: { type: 'boolean' }, server: { type: 'boolean' } } });
  const { helm, kubectl, packages } = installPrograms(FOLDER);
  const problems: string[] = [];
  for (const set of valueSets(ROOT)) {
    const file = valuesFile(ROOT, set);
    const lint = run(helm, ['lint', CHART, '--strict', '--values', file]);
    if (!lint.ok) problems.push(`${set}: ${lint.output}`);
    const render = run(helm, ['template', RELEASE, CHART, '--namespace', RELEASE, '--values', file]);
    if (!render.ok) {
      problems.push(`${set}: ${render.output}`);
      continue;
    }
    const manifests = parseManifests(render.output);
    const found = strictProblems(manifests, packages);
    problems.push(...found.map((problem) => `${set}: ${problem}`));
    say(`${set}: ${manifests.length} objects, ${found.length} problems.`);
    const text = renderedText(ROOT, set, manifests);
    const target = renderedFile(ROOT, set);
    if (values.write === true) writeFileSync(target, text);
    else if (!existsSync(target) || readFileSync(target, 'utf8') !== text)
      problems.push(`${set}: the committed manifests are out of date: npm run chart -- --write`);
  }
  for (const { settings, message } of REFUSED_VALUES) {
    const flags = settings.flatMap((setting) => ['--set-json', setting]);
    const base = ['--values', valuesFile(ROOT, 'defaults'), '--set-json', 'baseUrl="https://a.b"'];
    const { ok, output } = run(helm, ['template', RELEASE, CHART, ...base, ...flags]);
    if (ok || !output.includes(message))
      problems.push(`${settings.join(', ')} is not refused with “${message}”: ${output.slice(0, 400)}`);
  }
  say(`${REFUSED_VALUES.length} sets of invalid values were refused.`);
  const example = run(helm, ['template', RELEASE, CHART, '--values', join(EXAMPLES, 'values.yaml')]);
  const examples = example.ok ? parseManifests(example.output) : [];
  if (!example.ok) problems.push(example.output);
  for (const file of ['nats.yaml', 'postgres.yaml']) {
    const manifests = parseManifests(readFileSync(join(ROOT, EXAMPLES, file), 'utf8'));
    // Nobody publishes the schema of CloudNativePG's objects as a package.
    examples.push(...manifests.filter(({ apiVersion }) => apiVersion !== 'postgresql.cnpg.io/v1'));
  }
  const wrong = strictProblems(examples, packages);
  problems.push(...wrong.map((problem) => `examples: ${problem}`));
  say(`examples: ${examples.length} objects, ${wrong.length} problems.`);
  if (values.server === true) problems.push(...tryOnServer({ helm, kubectl, root: ROOT, say }));
  for (const problem of problems) say(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function run(program: string, args: readonly string[]): { ok: boolean; output: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: OUTPUT_MAX_BYTES,
  });
  if (error !== undefined) throw error;
  return status === 0 ? { ok: true, output: stdout } : { ok: false, output: `${stdout}${stderr}` };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main();
