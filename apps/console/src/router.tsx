import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Link,
  retainSearchParams,
} from '@tanstack/react-router';
import { Problem } from './parts/problem.tsx';
import { Shell } from './shell/shell.tsx';
import { words } from './words/shell.ts';
import { parseSearch, stringifySearch, strings } from './app/search-strings.ts';

const root = createRootRoute({
  component: Shell,
  validateSearch: strings('memory'),
  search: { middlewares: [retainSearchParams(['memory'])] },
  notFoundComponent: NotFound,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/home.tsx'), 'HomeScreen'),
});
const ask = createRoute({
  getParentRoute: () => root,
  path: '/ask',
  validateSearch: strings('q', 'space', 'as_of', 'model'),
  component: lazyRouteComponent(() => import('./screens/ask/ask.tsx'), 'AskScreen'),
});
const documents = createRoute({
  getParentRoute: () => root,
  path: '/documents',
  validateSearch: strings('query', 'status', 'space', 'sort'),
  component: lazyRouteComponent(() => import('./screens/documents/documents.tsx'), 'DocumentsScreen'),
});
const document = createRoute({
  getParentRoute: () => root,
  path: '/documents/$docId',
  validateSearch: strings('chunk', 'start', 'end', 'quote'),
  component: lazyRouteComponent(() => import('./screens/documents/document.tsx'), 'DocumentScreen'),
});
const chunk = createRoute({
  getParentRoute: () => root,
  path: '/chunks/$chunkId',
  component: lazyRouteComponent(() => import('./screens/documents/chunk.tsx'), 'ChunkScreen'),
});
const entity = createRoute({
  getParentRoute: () => root,
  path: '/entities/$entityId',
  validateSearch: strings('link'),
  component: lazyRouteComponent(() => import('./screens/graph/entity.tsx'), 'EntityScreen'),
});
const graph = createRoute({
  getParentRoute: () => root,
  path: '/graph',
  validateSearch: strings('entity', 'to', 'depth', 'relation', 'link', 'most'),
  component: lazyRouteComponent(() => import('./screens/graph/graph.tsx'), 'GraphScreen'),
});
const contradictions = createRoute({
  getParentRoute: () => root,
  path: '/contradictions',
  validateSearch: strings('status'),
  component: lazyRouteComponent(() => import('./screens/contradictions/contradictions.tsx'), 'ContradictionsScreen'),
});
const names = createRoute({
  getParentRoute: () => root,
  path: '/reviews/names',
  component: lazyRouteComponent(() => import('./screens/reviews/names.tsx'), 'NamesScreen'),
});
const routing = createRoute({
  getParentRoute: () => root,
  path: '/reviews/routing',
  component: lazyRouteComponent(() => import('./screens/reviews/routing.tsx'), 'RoutingScreen'),
});
const health = createRoute({
  getParentRoute: () => root,
  path: '/health',
  component: lazyRouteComponent(() => import('./screens/health/health.tsx'), 'HealthScreen'),
});
const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  validateSearch: strings('kind', 'status', 'query'),
  component: lazyRouteComponent(() => import('./screens/runs/runs.tsx'), 'RunsScreen'),
});
const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$threadId',
  component: lazyRouteComponent(() => import('./screens/runs/run.tsx'), 'RunScreen'),
});
const lists = createRoute({
  getParentRoute: () => root,
  path: '/lists',
  validateSearch: strings('page'),
  component: lazyRouteComponent(() => import('./screens/lists/lists.tsx'), 'ListsScreen'),
});
const list = createRoute({
  getParentRoute: () => root,
  path: '/lists/$listId',
  validateSearch: strings('page'),
  component: lazyRouteComponent(() => import('./screens/lists/list.tsx'), 'ListScreen'),
});
const memories = createRoute({
  getParentRoute: () => root,
  path: '/memories',
  component: lazyRouteComponent(() => import('./screens/access/memories.tsx'), 'MemoriesScreen'),
});
const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  validateSearch: strings('revoked'),
  component: lazyRouteComponent(() => import('./screens/access/keys.tsx'), 'KeysScreen'),
});
const members = createRoute({
  getParentRoute: () => root,
  path: '/members',
  component: lazyRouteComponent(() => import('./screens/access/members.tsx'), 'MembersScreen'),
});
const clients = createRoute({
  getParentRoute: () => root,
  path: '/clients',
  component: lazyRouteComponent(() => import('./screens/access/clients.tsx'), 'ClientsScreen'),
});
const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./screens/access/sessions.tsx'), 'SessionsScreen'),
});
const apps = createRoute({
  getParentRoute: () => root,
  path: '/apps',
  component: lazyRouteComponent(() => import('./screens/access/apps.tsx'), 'AppsScreen'),
});
const authorize = createRoute({
  getParentRoute: () => root,
  path: '/authorize',
  validateSearch: strings(
    'response_type',
    'client_id',
    'redirect_uri',
    'resource',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
  ),
  component: lazyRouteComponent(() => import('./screens/access/authorize.tsx'), 'AuthorizeScreen'),
});
const commandLine = createRoute({
  getParentRoute: () => root,
  path: '/command-line',
  validateSearch: strings('public_key', 'machine', 'state', 'port'),
  component: lazyRouteComponent(() => import('./screens/access/command-line.tsx'), 'CommandLineScreen'),
});
const searches = createRoute({
  getParentRoute: () => root,
  path: '/searches',
  validateSearch: strings('show'),
  component: lazyRouteComponent(() => import('./screens/searches/searches.tsx'), 'SearchesScreen'),
});
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./screens/operation/webhooks.tsx'), 'WebhooksScreen'),
});
const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$webhookId',
  validateSearch: strings('state'),
  component: lazyRouteComponent(() => import('./screens/operation/webhook.tsx'), 'WebhookScreen'),
});
const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  component: lazyRouteComponent(() => import('./screens/operation/usage.tsx'), 'UsageScreen'),
});
const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: strings('actor', 'operation', 'target'),
  component: lazyRouteComponent(() => import('./screens/operation/audit.tsx'), 'AuditScreen'),
});
const models = createRoute({
  getParentRoute: () => root,
  path: '/models',
  component: lazyRouteComponent(() => import('./screens/operation/models.tsx'), 'ModelsScreen'),
});

const routeTree = root.addChildren([
  home,
  ask,
  documents,
  document,
  chunk,
  entity,
  graph,
  contradictions,
  names,
  routing,
  health,
  runs,
  run,
  lists,
  list,
  memories,
  members,
  keys,
  clients,
  sessions,
  apps,
  authorize,
  commandLine,
  searches,
  webhooks,
  webhook,
  usage,
  audit,
  models,
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  // What was typed, chosen or refused on the screen of one thing is not there on that of another.
  defaultRemountDeps: ({ params }) => params,
  defaultErrorComponent: ScreenFailed,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function NotFound() {
  return (
    <div className="stack">
      <h1>{words.notFound}</h1>
      <p>
        <Link to="/">{words.home}</Link>
      </p>
    </div>
  );
}

function ScreenFailed({ error, reset }: ErrorComponentProps) {
  return (
    <div className="stack">
      <h1>{words.broken}</h1>
      <Problem error={error} retry={reset} />
    </div>
  );
}
