import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { cairn } from '../app/client.ts';
import { type Environment, switchEnvironment } from '../app/environment.ts';
import { useMemory } from '../app/memory.ts';
import { useWhoami } from '../app/who-am-i.ts';
import { Problem } from '../parts/problem.tsx';
import { words } from '../words/shell.ts';
import { navigationOf } from './navigation.ts';
import { Palette } from './palette.tsx';
import { LinkAccountButton } from './provider-button.tsx';
import { useLiveData } from './use-live-data.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useSignOut } from './use-sign-out.ts';

const NO_SCOPES: readonly string[] = [];

export function Shell() {
  const { data: who } = useWhoami();
  const scopes: readonly string[] = who?.credential.scopes ?? NO_SCOPES;
  const [finding, setFinding] = useState(false);
  const [menuOpen, setMenuOpen] = useState(false);
  const find = useCallback(() => setFinding(true), []);
  useShortcuts(scopes, find);
  useLiveData(scopes);
  const main = useFocusOnNewScreen(() => setMenuOpen(false));
  const signOut = useSignOut();
  const environment = who?.credential.environment ?? 'live';
  return (
    <div className="shell" data-environment={environment}>
      <header>
        <a className="skip" href="#main">
          {words.skip}
        </a>
        <button type="button" className="menu" aria-expanded={menuOpen} onClick={() => setMenuOpen(!menuOpen)}>
          {words.menu}
        </button>
        <Link to="/" className="brand">
          Cairn
        </Link>
        <MemoryChoice allowed={scopes.includes('memories:read')} />
        <div className="end">
          <EnvironmentChoice environment={environment} />
          <span className="quiet small hide-narrow" title={who?.member?.email}>
            {who === undefined ? '' : words.signedIn(who.member?.name ?? who.credential.name, who.tenant.name)}
          </span>
          {who?.member != null && <LinkAccountButton linked={who.member.linked} />}
          <button type="button" onClick={find}>
            {words.find} <kbd className="quiet small hide-narrow">Ctrl K</kbd>
          </button>
          <button type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
            {words.signOut}
          </button>
        </div>
        {signOut.error !== null && <Problem error={signOut.error} retry={() => signOut.mutate()} />}
      </header>
      <nav aria-label={words.menu} data-open={menuOpen}>
        {navigationOf(scopes).map((group) => (
          <div key={group.name}>
            {group.name !== '' && <p className="group">{group.name}</p>}
            <ul>
              {group.screens.map((screen) => (
                <li key={screen.to}>
                  <Link to={screen.to} activeOptions={{ exact: screen.to === '/', includeSearch: false }}>
                    {screen.name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      {finding && <Palette scopes={scopes} close={() => setFinding(false)} />}
    </div>
  );
}

function EnvironmentChoice({ environment }: { environment: Environment }) {
  return (
    <select
      aria-label={words.environment}
      value={environment}
      onChange={({ target }) => switchEnvironment(target.value === 'test' ? 'test' : 'live')}
    >
      <option value="live">{words.live}</option>
      <option value="test">{words.test}</option>
    </select>
  );
}

/** Moving the focus lets screen readers announce a new screen. */
function useFocusOnNewScreen(onNew: () => void) {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const seen = useRef(path);
  const act = useRef(onNew);
  useEffect(() => {
    if (seen.current === path) return;
    seen.current = path;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
    act.current();
  }, [path]);
  return main;
}

function MemoryChoice({ allowed }: { allowed: boolean }) {
  const navigate = useNavigate();
  const { memory_id } = useMemory();
  const { data } = useQuery({
    queryKey: ['memories', 'choice'],
    queryFn: async () => await cairn.memories.list({ limit: 100 }),
    enabled: allowed,
  });
  if (data === undefined || data.memories.length < 2) return null;
  const choose = (memory: string) => {
    const chosen = memory === '' ? {} : { memory };
    void navigate({ to: '.', search: () => chosen });
  };
  return (
    <select aria-label={words.memory} value={memory_id ?? ''} onChange={({ target }) => choose(target.value)}>
      <option value="">{words.defaultMemory}</option>
      {data.memories.map((each) => (
        <option key={each.memory_id} value={each.memory_id}>
          {each.display_name}
        </option>
      ))}
    </select>
  );
}
