import autocannon from 'autocannon';

/** Sends load in a process of its own; its one argument is this as JSON. Prints what it saw as JSON. */
export interface LoadArguments {
  url: string;
  apiKey: string;
  connections: number;
  seconds: number;
  /** Requests a second over all connections; undefined: as many as fit. */
  rate?: number | undefined;
}

export interface LoadSeen {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  notOk: number;
}

const given = JSON.parse(process.argv[2] ?? '{}') as LoadArguments;
const result = await autocannon({
  url: given.url,
  headers: { 'x-api-key': given.apiKey },
  connections: given.connections,
  duration: given.seconds,
  ...(given.rate === undefined ? {} : { overallRate: given.rate }),
});
const seen: LoadSeen = {
  requests: result.requests.total,
  perSecond: result.requests.average,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  notOk: result.non2xx + result.errors,
};
process.stdout.write(JSON.stringify(seen));
