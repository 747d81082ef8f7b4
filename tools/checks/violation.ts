/** One place in the repository that breaks one rule. */
export interface Violation {
  file: string;
  line: number;
  message: string;
}

/** Prints every violation, one per line and by place, and says how the process should end. */
export function report(name: string, violations: Violation[]): 0 | 1 {
  const lines = violations
    .toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.message.localeCompare(b.message))
    .map(({ file, line, message }) => `${file}:${line}: ${message}\n`);
  process.stdout.write(`${lines.join('')}${name}: ${violations.length} violations\n`);
  return violations.length === 0 ? 0 : 1;
}
