import { type Operation, OPERATIONS, type ServiceName } from '@cairn/contracts';
import findMyWay, { type HTTPMethod } from 'find-my-way';

type RouteMatch =
  | { kind: 'operation'; operation: Operation }
  | { kind: 'wrong-method'; allow: string[] }
  | { kind: 'none' };

/** Where each service's HTTP server is. */
export type Upstreams = Readonly<Record<ServiceName, string>>;

export interface RouteTable {
  match(method: string, path: string): RouteMatch;
}

const METHODS: HTTPMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The public routes, all of them operations of the contract: a route cannot exist without its scope and app. */
export function createRouteTable(operations: readonly Operation[] = OPERATIONS): RouteTable {
  const router = findMyWay({ ignoreTrailingSlash: false, maxParamLength: 256 });
  for (const operation of operations) {
    router.on(operation.method, operation.path.replace(/\{(\w+)\}/g, ':$1'), () => undefined, { operation });
  }
  return {
    match(method, path) {
      // An empty parameter: Express would take the path for the one without it, which is another operation.
      if (path.endsWith('/')) return { kind: 'none' };
      // A HEAD is a GET whose body is not sent (RFC 9110, 9.3.2).
      const found = router.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, path);
      if (found !== null) return { kind: 'operation', operation: (found.store as { operation: Operation }).operation };
      const allow = METHODS.filter((other) => router.find(other, path) !== null);
      if (allow.length === 0) return { kind: 'none' };
      return { kind: 'wrong-method', allow: allow.flatMap((other) => (other === 'GET' ? ['GET', 'HEAD'] : [other])) };
    },
  };
}
