import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  COMPONENT_LABEL,
  type Labels,
  type Manifest,
  ofKind,
  type Pod,
  podsOf,
  secretsOf,
  type Selector,
  selects,
  variablesOf,
} from './manifests.ts';
import { readPolicies } from './network.ts';
import { CHART, readRendered, sourceDigest, valueSets } from './rendered.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SERVICES = ['gateway', 'keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'];
/** For other variables to refer to. */
const OWN_VARIABLES = ['POD_IP'];
/** The chart's switch for what no config.ts declares yet: metrics. */
const NOT_DECLARED_YET: readonly string[] = [];

interface Variable {
  name: string;
  schema: { safeParse(value: unknown): { success: boolean } };
}

const variables = new Map<string, Variable[]>();
const provisioned = new Map<string, Record<string, string>>();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-chart-'));
  for (const service of [...SERVICES, 'cairn']) {
    const module = (await import(join(ROOT, `apps/${service}/src/config.ts`))) as {
      variables: Record<string, Variable>;
    };
    variables.set(service, Object.values(module.variables));
  }
  for (const service of SERVICES) provisioned.set(service, await provisionedVariables(service));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What `cairn operator provision` writes into the service.env that the chart mounts. */
async function provisionedVariables(service: string): Promise<Record<string, string>> {
  const { writeServiceFolder } = (await import(join(ROOT, 'apps/cairn/src/provision/service-folder.ts'))) as {
    writeServiceFolder: (...args: unknown[]) => Promise<void>;
  };
  const key = join(folder, 'key.json');
  await writeFile(key, '{}');
  const keys = {
    jwksFile: key,
    signingKeyFile: () => key,
    requestKeysFile: () => key,
    keyEncryptionKeysFile: key,
    ingestKeysFile: key,
  };
  const database = { url: 'postgres://a@b:5432/c', workerUrl: 'postgres://a@b:5432/c' };
  const secrets = service === 'gateway' ? {} : { database, natsUrl: 'nats://a:b@c:4222' };
  await writeServiceFolder(join(folder, service), service, keys, secrets, '/run/cairn');
  const lines = (await readFile(join(folder, service, 'service.env'), 'utf8')).trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
}

const namesOf = (service: string) => new Set((variables.get(service) ?? []).map(({ name }) => name));

const only = <T>(items: readonly T[]): T => {
  expect(items).toHaveLength(1);
  return items[0]!;
};

describe('the values of the chart', () => {
  it('have a schema for each of them, and no schema for what does not exist', async () => {
    const values = parse(await readFile(join(ROOT, CHART, 'values.yaml'), 'utf8')) as object;
    const schema = JSON.parse(await readFile(join(ROOT, CHART, 'values.schema.json'), 'utf8')) as Schema;
    expect(pathsOfSchema(schema, schema).toSorted()).toEqual(pathsOfValues(values, schema).toSorted());
  });
});

describe.each(valueSets(ROOT))('the chart rendered with %s', (set) => {
  const { digest, manifests } = readRendered(ROOT, set);
  const pods = podsOf(manifests);
  const podOf = (component: string): Pod => only(pods.filter((pod) => pod.component === component));
  const components = pods.map(({ component }) => component);
  const network = readPolicies(manifests);

  it('is what the chart renders today (npm run chart -- --write)', () => {
    expect(digest).toBe(sourceDigest(ROOT, set));
  });

  it('runs every service', () => {
    expect(components).toEqual(expect.arrayContaining([...SERVICES, 'migrate', 'streams', 'test']));
  });

  it('sets no variable that the service does not read', () => {
    for (const service of SERVICES) {
      const unknown = Object.keys(variablesOf(podOf(service))).filter((name) => !namesOf(service).has(name));
      expect(unknown.filter((name) => ![...OWN_VARIABLES, ...NOT_DECLARED_YET].includes(name))).toEqual([]);
    }
    for (const pod of pods.filter(({ component }) => ['migrate', 'streams', 'operator'].includes(component))) {
      expect(
        Object.keys(variablesOf(pod)).filter(
          (name) => !namesOf('cairn').has(name) && ![...NOT_DECLARED_YET, 'CAIRN_MODELS_FILE'].includes(name),
        ),
      ).toEqual([]);
    }
  });

  it('keeps no exception for a variable that a service reads by now', () => {
    const declared = SERVICES.flatMap((service) => [...namesOf(service)]);
    expect(NOT_DECLARED_YET.filter((name) => declared.includes(name))).toEqual([]);
  });

  it('gives every service, with its own secret, a configuration that it accepts', () => {
    for (const service of SERVICES) {
      const set = variablesOf(podOf(service));
      const secret = provisioned.get(service)!;
      // What the chart sets would silently take precedence over the file.
      expect(Object.keys(secret).filter((name) => name in set)).toEqual([]);
      for (const { name, schema } of variables.get(service)!) {
        const value = name in set ? (set[name] ?? '1') : secret[name];
        expect({ service, name, value, accepted: schema.safeParse(value).success }).toMatchObject({ accepted: true });
      }
    }
  });

  it('names addresses that a Service of the release serves', () => {
    const urls = pods.flatMap((pod) =>
      Object.entries(variablesOf(pod)).filter(([name]) => /^CAIRN_\w+_(?:GRPC|HTTP)$/.test(name)),
    );
    expect(urls.length).toBeGreaterThan(15);
    for (const [variable, address] of urls) {
      const [, target, port] = /^(?:dns:\/\/\/|https?:\/\/)([a-z-]+):(\d+)$/.exec(address!)!;
      const service = only(ofKind(manifests, 'Service').filter(({ metadata }) => metadata.name === target));
      const { ports, selector, clusterIP } = service.spec as unknown as ServiceSpec;
      const exposed = only(ports.filter((each) => each.port === Number(port)));
      const served = only(pods.filter(({ labels }) => selects({ matchLabels: selector }, labels)));
      expect(served.spec.containers[0]!.ports!.map(({ name }) => name)).toContain(exposed.targetPort);
      expect(`CAIRN_${served.component.toUpperCase()}_${exposed.targetPort.toUpperCase()}`).toBe(variable);
      // Clients spread requests and calls over the pods that they see.
      expect(clusterIP).toBe('None');
    }
  });

  it('lets exactly those connect to each other that have the address', () => {
    for (const from of pods)
      for (const to of pods.filter(({ component }) => SERVICES.includes(component)))
        for (const port of ['http', 'grpc']) {
          const expected = connects(from, to.component, port);
          const allowed = network.allows(from.labels, to.labels, port);
          expect(`${from.component} to ${to.component} ${port}: ${allowed}`).toBe(
            `${from.component} to ${to.component} ${port}: ${expected}`,
          );
        }
  });

  function connects(from: Pod, to: string, port: string): boolean {
    const variable = `CAIRN_${to.toUpperCase()}_${port.toUpperCase()}`;
    if (to === 'gateway') return port === 'http' ? from.component === 'test' : from.component === 'keys';
    const reads = from.component === 'operator' ? 'cairn' : from.component;
    return namesOf(reads).has(variable);
  }

  it('lets only those leave for PostgreSQL, NATS and the internet that have business there', () => {
    for (const pod of pods) {
      const names = namesOf(pod.component);
      const hook = { migrate: 5432, streams: 4222 }[pod.component];
      expect(`${pod.component} ${network.leaves(pod.labels, 5432)}`).toBe(
        `${pod.component} ${names.has('DATABASE_URL') || hook === 5432}`,
      );
      expect(`${pod.component} ${network.leaves(pod.labels, 4222)}`).toBe(
        `${pod.component} ${names.has('NATS_URL') || hook === 4222}`,
      );
      const internet = [443, 3128].some((port) => network.leaves(pod.labels, port));
      // Keys asks nobody but an identity provider.
      const asks = pod.component !== 'keys' || 'CAIRN_OIDC_ISSUER' in variablesOf(pod);
      expect(`${pod.component} ${internet}`).toBe(`${pod.component} ${names.has('CAIRN_OUTBOUND_PROXY') && asks}`);
    }
  });

  it('gives each secret to the one that it was made for, and none as a literal', () => {
    for (const service of SERVICES) {
      const foreign = SERVICES.filter((other) => other !== service).map((other) => `cairn-${other}`);
      expect(secretsOf(podOf(service))).toContain(`cairn-${service}`);
      expect(secretsOf(podOf(service)).filter((name) => foreign.includes(name))).toEqual([]);
    }
    for (const [secret, owner] of Object.entries({ 'cairn-migrations': 'migrate', 'cairn-streams': 'streams' }))
      expect(pods.filter((pod) => secretsOf(pod).includes(secret)).map(({ component }) => component)).toEqual([owner]);
    const literals = pods.flatMap((pod) => Object.entries(variablesOf(pod)).filter(([, value]) => value !== null));
    expect(
      literals
        .filter(([name]) => /DATABASE|NATS_URL|PASSWORD|(?<!OPERATOR)_KEY(?:_FILE)?$/.test(name))
        .map(([name]) => name)
        .filter((name) => name !== 'CAIRN_TLS_KEY_FILE'),
    ).toEqual([]);
    expect(ofKind(manifests, 'Secret')).toEqual([]);
  });

  it('gives no pod a right that it does not need', () => {
    for (const { owner, spec } of pods) {
      expect({ owner, token: spec.automountServiceAccountToken }).toEqual({ owner, token: false });
      // Links would be variables such as CAIRN_GATEWAY_PORT, which are not Cairn's.
      expect({ owner, links: spec.enableServiceLinks }).toEqual({ owner, links: false });
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 65_532,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources?.limits?.['memory']).toBeDefined();
        expect(container.resources?.requests?.['cpu']).toBeDefined();
        expect(
          container.volumeMounts?.filter(
            ({ name, readOnly }) => readOnly !== true && !['tmp', 'state'].includes(name),
          ) ?? [],
        ).toEqual([]);
      }
    }
  });

  it('replaces pods without refusing a request', async () => {
    const lifecycle = await readFile(join(ROOT, 'libs/service-kit/src/process/lifecycle.ts'), 'utf8');
    const closingSeconds = Number(/SHUTDOWN_TIMEOUT_MS = ([\d_]+)/.exec(lifecycle)![1]!.replaceAll('_', '')) / 1_000;
    for (const service of SERVICES) {
      const { owner, spec } = podOf(service);
      const container = only(spec.containers);
      const drained = container.lifecycle!.preStop!.sleep!.seconds;
      expect(spec.terminationGracePeriodSeconds!).toBeGreaterThan(drained + closingSeconds);
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const)
        expect({ owner, probe: container[probe] }).toMatchObject({ probe: expect.anything() });
      const workload = only(
        ofKind(manifests, 'Deployment', 'StatefulSet').filter((each) => `${each.kind}/${each.metadata.name}` === owner),
      );
      if (workload.kind === 'Deployment')
        expect(workload.spec['strategy']).toMatchObject({ rollingUpdate: { maxUnavailable: 0 } });
    }
  });

  it('selects the pods of exactly one workload with each selector', () => {
    const workloads = ofKind(manifests, 'Deployment', 'StatefulSet', 'PodDisruptionBudget');
    for (const { kind, metadata, spec } of workloads) {
      const selector = spec['selector'] as Selector;
      const chosen = pods.filter(({ labels }) => selects(selector, labels)).map(({ component }) => component);
      expect({ kind, name: metadata.name, chosen }).toEqual({
        kind,
        name: metadata.name,
        chosen: [metadata.labels![COMPONENT_LABEL]],
      });
    }
    for (const { spec } of ofKind(manifests, 'HorizontalPodAutoscaler')) {
      const { kind, name } = spec['scaleTargetRef'] as { kind: string; name: string };
      const target = only(ofKind(manifests, kind).filter(({ metadata }) => metadata.name === name));
      // A number there would undo the autoscaler's at every upgrade.
      expect(target.spec['replicas']).toBeUndefined();
    }
  });

  it('publishes the gateway and nothing else', () => {
    const gateway = only(ofKind(manifests, 'Service').filter(({ metadata }) => metadata.name.endsWith('-gateway')));
    for (const { spec } of ofKind(manifests, 'Service'))
      if (spec !== gateway.spec) expect(['ClusterIP', undefined]).toContain(spec['type']);
    for (const route of [...ofKind(manifests, 'Ingress'), ...ofKind(manifests, 'HTTPRoute')])
      for (const name of backendsOf(route)) expect(name).toBe(gateway.metadata.name);
  });

  it('is found by the Prometheus that is meant, as the job that the rules expect', () => {
    const monitors = ofKind(manifests, 'PodMonitor', 'PrometheusRule');
    expect(monitors).toHaveLength(set === 'everything' ? 2 : 0);
    for (const { kind, metadata, spec } of monitors) {
      expect(metadata.labels).toMatchObject({ release: 'prometheus' });
      if (kind === 'PodMonitor')
        expect(spec['podMetricsEndpoints']).toMatchObject([
          { relabelings: expect.arrayContaining([{ targetLabel: 'job', replacement: 'cairn' }]) },
        ]);
    }
  });

  it.each([
    ['memory', 'CAIRN_INGEST_THREADS', (workers: number) => workers * 576 + 2 * 704 + 800],
    ['research', 'CAIRN_RESEARCH_WORKERS', (workers: number) => workers * 704 + 400],
  ])('leaves room for the worker processes of %s', (service, variable, neededOf) => {
    const { spec } = podOf(service);
    const [, amount, unit] = /^(\d+)([MG])i$/.exec(spec.containers[0]!.resources!.limits!['memory']!)!;
    const limit = Number(amount) * (unit === 'G' ? 1_024 : 1);
    expect(limit).toBeGreaterThanOrEqual(neededOf(Number(variablesOf(podOf(service))[variable])));
  });
});

interface ServiceSpec {
  ports: { port: number; targetPort: string }[];
  selector: Labels;
  clusterIP?: string;
}

function backendsOf({ kind, spec }: Manifest): string[] {
  const rules = spec['rules'] as {
    http: { paths: { backend: { service: { name: string } } }[] };
    backendRefs: { name: string }[];
  }[];
  return kind === 'Ingress'
    ? rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service.name))
    : rules.flatMap(({ backendRefs }) => backendRefs.map(({ name }) => name));
}

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
}

/** Of objects whose properties are listed; those of Kubernetes itself and free maps are leaves. */
function propertiesOf(schema: Schema, root: Schema): Record<string, Schema> | null {
  if (schema.$ref !== undefined) return propertiesOf(root.$defs![schema.$ref.split('/').at(-1)!]!, root);
  const inherited = (schema.allOf ?? []).map((each) => propertiesOf(each, root) ?? {});
  const own = schema.properties ?? null;
  return own === null && inherited.length === 0 ? null : Object.assign({}, ...inherited, own ?? {});
}

function pathsOfSchema(schema: Schema, root: Schema, path = ''): string[] {
  const properties = propertiesOf(schema, root);
  if (properties === null || LEAVES.test(path)) return [path];
  return Object.entries(properties)
    .filter(([name]) => name !== 'global')
    .flatMap(([name, each]) => pathsOfSchema(each, root, `${path}/${name}`));
}

function pathsOfValues(values: unknown, schema: Schema, path = ''): string[] {
  const properties = propertiesOf(schema, schemaRoot(schema));
  if (properties === null || LEAVES.test(path)) return [path];
  return Object.entries(values as object).flatMap(([name, each]) => {
    const next = properties[name];
    if (next === undefined) return [`${path}/${name} is not in the schema`];
    return pathsOfValues(each, Object.assign({ $root: schemaRoot(schema) }, next), `${path}/${name}`);
  });
}

const LEAVES = /\/resources$/;

function schemaRoot(schema: Schema & { $root?: Schema }): Schema {
  return schema.$root ?? schema;
}
