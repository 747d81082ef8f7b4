import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { navigationOf } from './navigation.ts';

const CHORD_MS = 1_200;

/** `Ctrl K` finds, `/` asks, `g` and a letter opens a screen. */
export function useShortcuts(scopes: readonly string[], find: () => void): void {
  const navigate = useNavigate();
  const waitingSince = useRef(0);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        find();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        void navigate({ to: '/ask' });
      } else if (Date.now() - waitingSince.current < CHORD_MS) {
        const screen = navigationOf(scopes)
          .flatMap((group) => group.screens)
          .find(({ key }) => key === event.key);
        if (screen !== undefined) void navigate({ to: screen.to });
        waitingSince.current = 0;
      } else if (event.key === 'g') waitingSince.current = Date.now();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [scopes, find, navigate]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null;
}
