import { spawnSync } from 'node:child_process';
import { CHART, RELEASE, valuesFile, valueSets } from './rendered.ts';

interface Server {
  helm: string;
  kubectl: string;
  root: string;
  say: (line: string) => void;
}

const NAMESPACE = 'cairn-chart-check';
const TIMEOUT_MS = 120_000;

/**
 * Hands the manifests to a real API server, in a namespace of their own: its admission of every object, then a release
 * that is installed, upgraded, rolled back and removed, without waiting for pods and without hooks.
 */
export function tryOnServer({ helm, kubectl, root, say }: Server): string[] {
  const problems: string[] = [];
  const run = (program: string, ...args: string[]): string => {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      cwd: root,
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    if (error !== undefined) throw error;
    if (status !== 0) problems.push(`${program.split('/').at(-1)} ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  say(run(kubectl, 'version').trimEnd());
  run(kubectl, 'create', 'namespace', NAMESPACE);
  try {
    for (const set of valueSets(root)) {
      const file = valuesFile(root, set);
      const without = [...missingKinds(run(kubectl, 'api-resources', '--output=name'))];
      const release = ['--namespace', NAMESPACE, '--values', file, ...without];
      const rendered = run(helm, 'template', RELEASE, CHART, ...release);
      const accepted = applyDryRun(kubectl, rendered);
      problems.push(...accepted.problems.map((problem) => `${set}: ${problem}`));
      say(`${set}: the API server accepts ${accepted.count} objects, hooks and tests among them.`);
      run(helm, 'install', RELEASE, CHART, ...release, '--dry-run=server');
      run(helm, 'install', RELEASE, CHART, ...release, '--no-hooks');
      run(
        helm,
        'upgrade',
        RELEASE,
        CHART,
        ...release,
        '--no-hooks',
        '--set',
        'image.tag=0.1.1',
        '--set',
        'logLevel=debug',
      );
      run(helm, 'rollback', RELEASE, '1', '--namespace', NAMESPACE, '--no-hooks');
      say(run(helm, 'history', RELEASE, '--namespace', NAMESPACE, '--max=3').trimEnd());
      run(helm, 'uninstall', RELEASE, '--namespace', NAMESPACE, '--no-hooks');
      const left = run(
        kubectl,
        'get',
        LISTED,
        '--namespace',
        NAMESPACE,
        '--selector=app.kubernetes.io/name=cairn',
        '--output=name',
      );
      if (left.trim() !== '') problems.push(`${set}: uninstalling left ${left.trim().split('\n').join(', ')}`);
    }
  } finally {
    run(kubectl, 'delete', 'namespace', NAMESPACE, '--wait=false');
  }
  return problems;
}

const LISTED =
  'deployments,statefulsets,services,networkpolicies,ingresses,horizontalpodautoscalers,poddisruptionbudgets,jobs';

/** Switches off what the server has no definitions for. */
function missingKinds(resources: string): string[] {
  const optional = {
    'httproutes.gateway.networking.k8s.io': 'httpRoute.enabled=false',
    'podmonitors.monitoring.coreos.com': 'metrics.podMonitor.enabled=false',
    'prometheusrules.monitoring.coreos.com': 'metrics.prometheusRule.enabled=false',
  };
  const known = resources.split('\n');
  return Object.entries(optional).flatMap(([name, setting]) => (known.includes(name) ? [] : ['--set', setting]));
}

function applyDryRun(kubectl: string, manifests: string): { count: number; problems: string[] } {
  const args = ['create', '--dry-run=server', '--validate=strict', `--namespace=${NAMESPACE}`, '--filename=-'];
  const { status, stdout, stderr } = spawnSync(kubectl, args, {
    input: manifests,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  return { count: stdout.trim().split('\n').length, problems: status === 0 && stderr === '' ? [] : [stderr] };
}
