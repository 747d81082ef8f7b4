import type { Scope } from '../app/who-am-i.ts';
import { words } from '../words/shell.ts';

interface Screen {
  to: string;
  name: string;
  /** Without it the screen has nothing to show, and is not offered. */
  scope?: Scope;
  /** Typed after `g`. */
  key?: string;
}

const { screens, groups } = words;

const NAVIGATION: readonly { name: string; screens: readonly Screen[] }[] = [
  {
    name: '',
    screens: [
      { to: '/', name: screens.home, key: 'h' },
      { to: '/ask', name: screens.ask, scope: 'memory:search', key: 'a' },
    ],
  },
  {
    name: groups.knowledge,
    screens: [
      { to: '/documents', name: screens.documents, scope: 'documents:read', key: 'd' },
      { to: '/graph', name: screens.graph, scope: 'graph:read', key: 'g' },
      { to: '/contradictions', name: screens.contradictions, scope: 'graph:read', key: 'c' },
      { to: '/reviews/names', name: screens.names, scope: 'graph:read', key: 'n' },
      { to: '/reviews/routing', name: screens.routing, scope: 'documents:read' },
      { to: '/searches', name: screens.searches, scope: 'threads:read' },
      { to: '/health', name: screens.health, scope: 'memories:read' },
    ],
  },
  {
    name: groups.research,
    screens: [
      { to: '/runs', name: screens.runs, scope: 'search:run', key: 'r' },
      { to: '/lists', name: screens.lists, scope: 'lists:read', key: 'l' },
    ],
  },
  {
    name: groups.access,
    screens: [
      { to: '/memories', name: screens.memories, scope: 'memories:read', key: 'm' },
      { to: '/members', name: screens.members, scope: 'members:read' },
      { to: '/keys', name: screens.keys, scope: 'keys:read', key: 'k' },
      { to: '/clients', name: screens.clients, scope: 'oauth:read' },
      { to: '/sessions', name: screens.sessions, scope: 'keys:read' },
      { to: '/apps', name: screens.apps, scope: 'spaces:read' },
    ],
  },
  {
    name: groups.operation,
    screens: [
      { to: '/webhooks', name: screens.webhooks, scope: 'webhooks:read', key: 'w' },
      { to: '/usage', name: screens.usage, scope: 'usage:read', key: 'u' },
      { to: '/audit', name: screens.audit, scope: 'keys:read' },
      { to: '/models', name: screens.models, scope: 'providers:read' },
    ],
  },
];

/** The screens that these scopes have something to see on, in their groups; empty groups are left out. */
export function navigationOf(scopes: readonly string[]): { name: string; screens: readonly Screen[] }[] {
  return NAVIGATION.map((group) => ({
    name: group.name,
    screens: group.screens.filter(({ scope }) => scope === undefined || scopes.includes(scope)),
  })).filter((group) => group.screens.length > 0);
}
