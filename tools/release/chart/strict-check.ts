import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Manifest } from './manifests.ts';

interface ModelClass {
  getAttributeTypeMap?: () => { name: string; baseName: string; type: string }[];
}

type Models = Record<string, unknown>;

/** Prefixes of the class names in @kubernetes/client-node. */
const CLASS_PREFIXES: Record<string, string> = {
  v1: 'V1',
  'apps/v1': 'V1',
  'autoscaling/v2': 'V2',
  'batch/v1': 'V1',
  'networking.k8s.io/v1': 'V1',
  'policy/v1': 'V1',
};
const CUSTOM_MODELS: Record<string, string> = {
  'gateway.networking.k8s.io/v1': '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
};

/**
 * What is wrong with the manifests by the schemas of Kubernetes: @kubernetes/client-node knows every field and finds
 * those that do not exist; kubernetes-models knows which are required and finds wrong types and values.
 */
export function strictProblems(manifests: readonly Manifest[], packages: string): string[] {
  const load = createRequire(join(packages, 'package.json'));
  const client = load('@kubernetes/client-node') as Models;
  return manifests.flatMap((manifest) => {
    const place = `${manifest.kind}/${manifest.metadata.name}`;
    const custom = CUSTOM_MODELS[manifest.apiVersion];
    const known = custom === undefined ? unknownFields(client, manifest, place) : [];
    const models = loadModels(
      load,
      join(packages, 'node_modules', custom ?? `kubernetes-models/${manifest.apiVersion}`),
    );
    const Model = models?.[manifest.kind] as (new (manifest: Manifest) => { validate(): void }) | undefined;
    if (Model === undefined) return [...known, `${place}: no such kind in ${manifest.apiVersion}`];
    return [...known, ...invalid(() => new Model(manifest).validate(), place)];
  });
}

/** By path: the packages name their folders for `import` only. */
function loadModels(load: NodeJS.Require, folder: string): Models | null {
  try {
    return load(join(folder, 'index.js')) as Models;
  } catch {
    return null;
  }
}

function invalid(validate: () => void, place: string): string[] {
  try {
    validate();
    return [];
  } catch (error) {
    return [`${place}: ${(error as Error).message}`];
  }
}

function unknownFields(client: Models, manifest: Manifest, place: string): string[] {
  const prefix = CLASS_PREFIXES[manifest.apiVersion];
  const type = `${prefix}${manifest.kind}`;
  if (prefix === undefined || client[type] === undefined) return [`${place}: no such kind in ${manifest.apiVersion}`];
  return walk(client, type, manifest, place);
}

function walk(client: Models, type: string, value: unknown, path: string): string[] {
  if (value === null || value === undefined) return [`${path}: is empty`];
  const element = /^Array<(.*)>$/.exec(type)?.[1];
  if (element !== undefined) {
    if (!Array.isArray(value)) return [`${path}: is no list`];
    return value.flatMap((each, index) => walk(client, element, each, `${path}[${index}]`));
  }
  const values = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
  if (values !== undefined)
    return Object.entries(value).flatMap(([name, each]) => walk(client, values, each, `${path}.${name}`));
  if (['string', 'number', 'boolean'].includes(type))
    return typeof value === type ? [] : [`${path}: ${JSON.stringify(value)} is no ${type}`];
  const attributes = (client[type] as ModelClass | undefined)?.getAttributeTypeMap?.();
  // A date, a quantity or a number or a percentage: the other check knows them.
  if (attributes === undefined) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const attribute = attributes.find(({ baseName }) => baseName === name);
    if (attribute === undefined) return [`${path}.${name}: no such field in ${type}`];
    return walk(client, attribute.type, each, `${path}.${name}`);
  });
}
