import './style/base.css';
import './style/tokens.css';
import './style/parts.css';
import './style/shell.css';
import './style/screens.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './app/query-client.ts';
import { router } from './router.tsx';
import { readStartAddress } from './shell/start-address.ts';
import { SessionGate } from './shell/session-gate.tsx';

/** Whoever comes by a link is signed in before anything is asked, so that nothing is asked without a session. */
async function start(): Promise<void> {
  const arrival = await readStartAddress();
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionGate arrival={arrival}>
          <RouterProvider router={router} />
        </SessionGate>
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
