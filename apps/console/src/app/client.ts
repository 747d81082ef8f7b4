import { Cairn } from '@cairn/sdk';
import { environmentHeaders } from './environment.ts';

/** The page holds no key: the browser sends the session's cookie. One repetition, because people see the state. */
export const cairn = new Cairn({
  baseUrl: location.origin,
  signedIn: true,
  maxRetries: 1,
  headers: environmentHeaders,
});
