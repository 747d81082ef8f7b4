const NAME_MAX_CHARS = 80;

/** The default name of a list, made from the prompt. */
export function listNameOf(prompt: string): string {
  const line = prompt.replace(/\s+/g, ' ').trim();
  if (line.length <= NAME_MAX_CHARS) return line;
  const cut = line.slice(0, NAME_MAX_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), NAME_MAX_CHARS / 2))}…`;
}
