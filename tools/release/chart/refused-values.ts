interface RefusedValues {
  /** As `helm --set-json` takes them. */
  settings: string[];
  /** What Helm has to say about them. */
  message: string;
}

/** Values that a platform team may write by mistake, each of which must be refused with a reason. */
export const REFUSED_VALUES: readonly RefusedValues[] = [
  { settings: ['baseUrl=""'], message: '/baseUrl' },
  { settings: ['baseUrl="https://a.b/cairn"'], message: '/baseUrl' },
  { settings: ['replicas=3'], message: "additional properties 'replicas' not allowed" },
  { settings: ['services.keys.replica=2'], message: '/services/keys/replica' },
  { settings: ['services.webhook.replicas=2'], message: "additional properties 'webhook' not allowed" },
  { settings: ['services.memory.workers=1'], message: '/services/memory/workers' },
  { settings: ['services.keys.workers=3'], message: '/services/keys/workers' },
  { settings: ['services.keys.env={"NATS_URL":"nats://a"}'], message: "invalid propertyName 'NATS_URL'" },
  { settings: ['services.keys.env={"CAIRN_LOG_LEVEL":"info"}'], message: 'CAIRN_LOG_LEVEL is set by the chart' },
  { settings: ['services.gateway.env={"CAIRN_GATEWAY_PROCESSES":4}'], message: 'take more replicas' },
  { settings: ['services.keys.resources.limits={"memory":"much"}'], message: '/services/keys/resources/limits/memory' },
  { settings: ['services.usage.autoscaling={"enabled":true,"minReplicas":9}'], message: 'minReplicas is above' },
  { settings: ['image.digests={"memory":"latest"}'], message: '/image/digests/memory' },
  { settings: ['trustedProxies="x"'], message: '/trustedProxies' },
  { settings: ['memoryDomain="b"'], message: 'the host of baseUrl must not be memoryDomain or lie below it' },
  { settings: ['memoryDomain="a.b"'], message: 'the host of baseUrl must not be memoryDomain or lie below it' },
  { settings: ['httpRoute.enabled=true'], message: 'httpRoute.enabled needs httpRoute.parentRefs' },
  { settings: ['oidc.issuer="http://id.b"'], message: '/oidc/issuer' },
  { settings: ['oidc.issuer="https://id.b"'], message: 'oidc.issuer needs oidc.clientId' },
  { settings: ['webSearch.engine="brave"'], message: 'needs webSearch.existingSecret' },
  { settings: ['webSearch.engine="searxng"'], message: 'needs webSearch.url' },
  { settings: ['streams.replicas=2'], message: '/streams/replicas' },
  { settings: ['migrations.replicas=1'], message: '/migrations/replicas' },
  { settings: ['metrics.port=8080'], message: '/metrics/port' },
  { settings: ['metrics.prometheusRule.enabled=true'], message: 'needs the rules' },
  { settings: ['terminationGracePeriodSeconds=15'], message: 'must be more than drainSeconds plus' },
  { settings: ['networkPolicy.gatewayFrom=[]'], message: 'networkPolicy.gatewayFrom is empty' },
  { settings: ['networkPolicy.gatewayFrom=[{}]'], message: '/networkPolicy/gatewayFrom/0' },
];
