/** How many, and which when they are asked for. */
export function Scopes({ scopes }: { scopes: readonly string[] }) {
  return (
    <details>
      <summary>{scopes.length}</summary>
      <span className="small">{scopes.join(', ')}</span>
    </details>
  );
}
