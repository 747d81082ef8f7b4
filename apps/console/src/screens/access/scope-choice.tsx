import type { Scope } from '../../app/who-am-i.ts';
import { words } from '../../words/access.ts';

/** How much of what the session may do a new key may do. */
export function ScopeChoice() {
  return (
    <label>
      {words.scopes}
      <select name="scopes">
        <option value="all">{words.allScopes}</option>
        <option value="read">{words.read}</option>
        <option value="ask">{words.ask}</option>
      </select>
    </label>
  );
}

/** What was chosen in a form with a `ScopeChoice`. */
export function chosenScopes(form: FormData, own: readonly Scope[]): Scope[] {
  const choice = form.get('scopes');
  const isChosen = (scope: Scope) =>
    choice === 'all' || scope === 'memory:search' || (choice === 'read' && scope.endsWith(':read'));
  return own.filter(isChosen);
}
