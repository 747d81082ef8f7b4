import type { RunningCairn } from '@cairn/testing';
import { api } from './api.ts';
import type { View } from './browser.ts';

export const WIDE: View = { width: 1280, height: 900 };
/** A screen is there, and nothing of it is still being asked for. */
export const SHOWN = `document.querySelector('main h1') !== null && document.querySelector('.skeleton') === null`;

/** A link that signs in as the key. */
export async function signInLink(cairn: RunningCairn, key: string): Promise<string> {
  return (await api(cairn.baseUrl, key, 'POST', '/api/v1/console/tickets')).body.url;
}

/** Every screen that names no single thing. */
export const SCREENS = [
  '/',
  '/ask',
  '/documents',
  '/graph',
  '/contradictions',
  '/reviews/names',
  '/reviews/routing',
  '/health',
  '/runs',
  '/lists',
  '/memories',
  '/members',
  '/keys',
  '/clients',
  '/sessions',
  '/apps',
  '/searches',
  '/webhooks',
  '/usage',
  '/audit',
  '/models',
];
/** What they show comes from keys, or from nowhere before something is asked. */
export const OF_KEYS_ALONE = new Set(['/ask', '/keys', '/clients', '/apps', '/sessions', '/members']);
