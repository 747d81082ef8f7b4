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
import { cairn } from './app/client.ts';
import { SessionGate } from './shell/session-gate.tsx';
import { takeTicket } from './shell/ticket.ts';

/** A ticket is exchanged before anything is asked, so that nothing is asked without a session. */
async function start(): Promise<void> {
  const ticket = takeTicket();
  let ticketFailed = false;
  if (ticket !== null) {
    await cairn.sessions.open({ ticket }).catch(() => {
      ticketFailed = true;
    });
  }
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionGate ticketFailed={ticketFailed}>
          <RouterProvider router={router} />
        </SessionGate>
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
