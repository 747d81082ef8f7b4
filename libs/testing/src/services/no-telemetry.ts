/** The variables about metrics and traces, for services that a spec starts in its own process without either. */
export const NO_TELEMETRY = {
  metricsPort: undefined,
  otlpEndpoint: undefined,
  otlpHeaders: undefined,
  traceRatio: 0,
} as const;
