import { type Labels, type Manifest, ofKind, type Selector, selects } from './manifests.ts';

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}

interface Rule {
  ports?: { port: number | string }[];
  from?: Peer[];
  to?: Peer[];
}

interface PolicySpec {
  podSelector: Selector;
  policyTypes: string[];
  ingress?: Rule[];
  egress?: Rule[];
}

/** Answers what NetworkPolicies allow, as a network plug-in that enforces them would: only what one of them lists. */
export function readPolicies(manifests: readonly Manifest[]) {
  const policies = ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec as unknown as PolicySpec);
  const rulesFor = (labels: Labels, type: 'Ingress' | 'Egress'): Rule[] | null => {
    const own = policies.filter(
      ({ podSelector, policyTypes }) => policyTypes.includes(type) && selects(podSelector, labels),
    );
    if (own.length === 0) return null;
    return own.flatMap((policy) => (type === 'Ingress' ? policy.ingress : policy.egress) ?? []);
  };
  const permits = (rules: Rule[] | null, port: number | string, peers: (rule: Rule) => boolean): boolean =>
    rules === null ||
    rules.some((rule) => (rule.ports === undefined || rule.ports.some((each) => each.port === port)) && peers(rule));
  const includesPod = (peers: Peer[] | undefined, labels: Labels): boolean =>
    peers === undefined ||
    peers.some(
      ({ podSelector, namespaceSelector }) =>
        podSelector !== undefined && namespaceSelector === undefined && selects(podSelector, labels),
    );
  return {
    /** Whether one pod of the release may connect to another at the named port. */
    allows: (from: Labels, to: Labels, port: string): boolean =>
      permits(rulesFor(from, 'Egress'), port, (rule) => includesPod(rule.to, to)) &&
      permits(rulesFor(to, 'Ingress'), port, (rule) => includesPod(rule.from, from)),
    /** Whether the pod may connect to something outside the release at the port. */
    leaves: (from: Labels, port: number): boolean => permits(rulesFor(from, 'Egress'), port, () => true),
    /** Whether the pod may be connected to from everywhere. */
    isOpen: (to: Labels, port: string): boolean =>
      permits(rulesFor(to, 'Ingress'), port, (rule) => rule.from === undefined),
  };
}
