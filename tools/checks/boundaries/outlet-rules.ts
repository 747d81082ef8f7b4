import type { SourceFile } from '../source-files.ts';
import type { Violation } from '../violation.ts';
import { type Node, parse, visit } from './imports.ts';

/** Product code, apart from the outlet itself. */
const PRODUCT = /^(?:apps|libs)\/[^/]+\/src\/.+\.tsx?$|^sdk\/src\/.+\.ts$/;
const NOT_PRODUCT = /^libs\/(?:outbound|testing|contracts\/src\/gen)\/|^sdk\/src\/gen\/|\.(?:spec|conformance)\.ts$/;

/** Modules that open connections, and which of their exports do; null is all of them. */
/** The exporter of traces is not on the list: it connects by itself, to the address that the operator configures. */
const CLIENTS: ReadonlyMap<string, readonly string[] | null> = new Map<string, readonly string[] | null>([
  ['undici', null],
  ['axios', null],
  ['got', null],
  ['ky', null],
  ['node-fetch', null],
  ['superagent', null],
  ['http', ['request', 'get', 'Agent', 'globalAgent', 'ClientRequest']],
  ['https', ['request', 'get', 'Agent', 'globalAgent']],
  ['http2', ['connect']],
  ['net', ['connect', 'createConnection']],
  ['tls', ['connect']],
  ['dgram', null],
  ['ws', ['WebSocket', 'default']],
  ['@opensearch-project/opensearch', ['Client', 'Connection']],
]);
const GLOBALS: ReadonlySet<string> = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']);

/** Files that open connections by themselves, none of them to an address from outside, and why they may. */
const MAY_CONNECT: ReadonlyMap<string, string> = new Map([
  ['apps/gateway/src/forwarding/upstream-connections.ts', "forwards requests to the installation's own services"],
  ['apps/gateway/src/forwarding/forward-with-undici.ts', "forwards requests to the installation's own services"],
  ['apps/gateway/src/readiness.ts', "asks the installation's own services whether they are ready"],
  ['apps/cairn/src/user/api-request.ts', 'calls the installation that its user names, with the key for that one'],
  ['apps/cairn/src/user/forward-event.ts', 'posts to its user’s own machine, and nowhere else'],
  ['apps/cairn/src/status/is-reachable.ts', 'looks at the parts of its own installation'],
  ['apps/cairn/src/doctor/check-gateway.ts', 'looks at the gateway of its own installation'],
  ['apps/cairn/src/up/up.ts', 'waits for the gateway that it has started'],
  ['apps/memory/src/opensearch/open-client.ts', 'makes the client use connections that go through libs/outbound'],
  ['apps/memory/src/opensearch/outbound-connection.ts', 'is that connection, and sends through libs/outbound'],
  ['sdk/src/core/transport.ts', "runs in its user's program and calls the installation that this names"],
  ['sdk/src/core/connect.ts', "runs in its user's program and calls the installation that this names"],
  ['libs/embedded/src/nats/nats-info.ts', 'reads the greeting of the NATS server that it has started'],
  ['libs/embedded/src/nats/download.ts', 'downloads a pinned release before any service runs, without tenant data'],
]);

/** Whatever leaves goes through libs/outbound: product code opens no connection by itself. */
export function outletViolations(files: readonly SourceFile[], mayConnect = MAY_CONNECT): Violation[] {
  const product = files.filter(({ path }) => PRODUCT.test(path) && !NOT_PRODUCT.test(path));
  const found = product.flatMap((file) => connectionsOf(file));
  const connecting = new Set(found.map(({ file }) => file));
  const needless = product
    .filter(({ path }) => mayConnect.has(path) && !connecting.has(path))
    .map(({ path }) => ({
      file: path,
      line: 1,
      message: 'opens no connection; take it off the list in outlet-rules.ts',
    }));
  return [...found.filter(({ file }) => !mayConnect.has(file)), ...needless];
}

function connectionsOf(file: SourceFile): Violation[] {
  const names = new Set<string>();
  const body = parse(file);
  visit(body, (node) => {
    for (const name of importedClients(node)) names.add(name);
  });
  for (const name of globalClients(body)) names.add(name);
  return [...names].map((name) => ({
    file: file.path,
    line: lineNaming(file, name),
    message: `'${name}' opens connections past libs/outbound; take an Outbound client`,
  }));
}

function importedClients(node: Node): string[] {
  if (node.type === 'CallExpression' && (node['callee'] as Node).type === 'Import') {
    const argument = (node['arguments'] as { expression: Node }[])[0]?.expression;
    return clientsOf(String(argument?.['value'] ?? '')) === undefined
      ? []
      : [`import('${String(argument!['value'])}')`];
  }
  if (node.type !== 'ImportDeclaration' || node['typeOnly'] === true) return [];
  const clients = clientsOf(String((node['source'] as Node)['value']));
  if (clients === undefined) return [];
  return (node['specifiers'] as Node[]).flatMap((specifier) => {
    if (specifier['isTypeOnly'] === true) return [];
    const local = String((specifier['local'] as Node)['value']);
    const whole = specifier.type !== 'ImportSpecifier';
    const imported = specifier['imported'] as Node | null | undefined;
    const name = imported == null ? local : String(imported['value']);
    return whole || clients === null || clients.includes(name) ? [local] : [];
  });
}

function clientsOf(specifier: string): readonly string[] | null | undefined {
  return CLIENTS.get(specifier.replace(/^node:/, ''));
}

/** Names of the platform's own clients that are used as values; a member or key of that name is something else. */
function globalClients(body: unknown): string[] {
  const found: string[] = [];
  const walk = (value: unknown, parent: Node | null, key: string): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, parent, key);
    else if (typeof value === 'object' && value !== null) {
      const node = value as Node;
      if (node.type === 'TsTypeQuery' || node.type === 'TsTypeReference') return;
      if (node.type === 'Identifier' && GLOBALS.has(String(node['value'])) && isReference(parent, key))
        found.push(String(node['value']));
      if (node.type === 'NewExpression' && (node['callee'] as Node)['value'] === 'Socket') found.push('Socket');
      for (const [name, child] of Object.entries(node)) walk(child, node, name);
    }
  };
  walk(body, null, '');
  return found;
}

function isReference(parent: Node | null, key: string): boolean {
  if (parent === null) return true;
  if (parent.type === 'MemberExpression' && key === 'property')
    return (parent['object'] as Node)['value'] === 'globalThis';
  if (parent.type === 'ImportSpecifier' || parent.type === 'TsPropertySignature') return false;
  return key !== 'key';
}

function lineNaming({ text }: SourceFile, name: string): number {
  const line = text.split('\n').findIndex((each) => each.includes(name));
  return Math.max(line, 0) + 1;
}
