/** The parts of Kubernetes objects that the checks of the chart read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  spec: Record<string, unknown>;
}

interface Metadata {
  name: string;
  namespace?: string;
  labels?: Labels;
  annotations?: Record<string, string>;
}

export type Labels = Record<string, string>;

export interface Pod {
  /** Such as Deployment/cairn-keys. */
  owner: string;
  component: string;
  labels: Labels;
  spec: PodSpec;
}

interface PodSpec {
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  securityContext?: Record<string, unknown>;
  terminationGracePeriodSeconds?: number;
  containers: Container[];
  initContainers?: Container[];
  volumes?: { name: string; secret?: { secretName: string } }[];
}

interface Container {
  name: string;
  image: string;
  command?: string[];
  env?: { name: string; value?: string; valueFrom?: Record<string, { name: string; key: string }> }[];
  ports?: { name: string; containerPort: number }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext?: Record<string, unknown>;
  lifecycle?: { preStop?: { sleep?: { seconds: number } } };
  startupProbe?: object;
  readinessProbe?: object;
  livenessProbe?: object;
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
}

export interface Selector {
  matchLabels?: Labels;
}

export const COMPONENT_LABEL = 'app.kubernetes.io/component';

/** Every pod that the manifests make, directly or by a controller. */
export function podsOf(manifests: readonly Manifest[]): Pod[] {
  return manifests.flatMap((manifest) => {
    const owner = `${manifest.kind}/${manifest.metadata.name}`;
    if (manifest.kind === 'Pod') return [pod(owner, manifest.metadata.labels, manifest.spec as unknown as PodSpec)];
    const template = manifest.spec?.['template'] as { metadata: Metadata; spec: PodSpec } | undefined;
    return template === undefined ? [] : [pod(owner, template.metadata.labels, template.spec)];
  });
}

function pod(owner: string, labels: Labels = {}, spec: PodSpec): Pod {
  return { owner, component: labels[COMPONENT_LABEL] ?? '', labels, spec };
}

export function ofKind(manifests: readonly Manifest[], ...kinds: string[]): Manifest[] {
  return manifests.filter(({ kind }) => kinds.includes(kind));
}

/** Whether the labels have everything that the selector names; a selector that names nothing selects all. */
export function selects(selector: Selector | undefined, labels: Labels): boolean {
  return Object.entries(selector?.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
}

/** Variables of the only container, with those that come from elsewhere as `null`. */
export function variablesOf({ spec }: Pod): Record<string, string | null> {
  return Object.fromEntries((spec.containers[0]?.env ?? []).map(({ name, value }) => [name, value ?? null]));
}

/** Secrets that the pod can read, as files or variables. */
export function secretsOf({ spec }: Pod): string[] {
  const mounted = (spec.volumes ?? []).flatMap(({ secret }) => (secret === undefined ? [] : [secret.secretName]));
  const referred = spec.containers.flatMap(({ env = [] }) =>
    env.flatMap(({ valueFrom }) => (valueFrom?.['secretKeyRef'] === undefined ? [] : [valueFrom['secretKeyRef'].name])),
  );
  return [...new Set([...mounted, ...referred])].toSorted();
}
