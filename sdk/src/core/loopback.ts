/** What Node's `fetch` and `WebSocket` take to reach an address in another way; nothing where the platform's way is right. */
interface Way {
  dispatcher?: object;
}

type Found = (error: null, addresses: unknown, family?: number) => void;
type AgentClass = new (options: { connect: { lookup: typeof lookUp } }) => object;

/** Where Node keeps the agent of its `fetch`, whose class it exports nowhere. */
const NODE_AGENT = Symbol.for('undici.globalDispatcher.1');
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
const LOCAL_NAME = /\.localhost\.?$/;
let agent: object | null | undefined;

/**
 * The way to a name below `localhost`, as memories of an installation on this machine have: to the loopback addresses,
 * without a question to a resolver (RFC 6761, 6.3), while Host and TLS name stay. Browsers do so by themselves; Node asks
 * the C library, which knows no such name on most Linux systems.
 */
export function loopbackRoute(url: string): Way {
  if (!LOCAL_NAME.test(new URL(url).hostname)) return {};
  agent ??= nodeAgent();
  return agent === null ? {} : { dispatcher: agent };
}

function nodeAgent(): object | null {
  // Makes Node load what sets it.
  void globalThis.Response;
  const current = (globalThis as Record<symbol, object | undefined>)[NODE_AGENT];
  // Somebody's own way out, such as a proxy, is not replaced.
  if (current?.constructor.name !== 'Agent') return null;
  return new (current.constructor as AgentClass)({ connect: { lookup: lookUp } });
}

function lookUp(_name: string, options: { all?: boolean }, found: Found): void {
  if (options.all === true) found(null, LOOPBACK);
  else found(null, LOOPBACK[0]!.address, LOOPBACK[0]!.family);
}
