const MARKDOWN_SIGNS = [
  /^#{1,6} \S/m,
  /^\s*(?:[-*+]|\d{1,3}\.) \S/m,
  /^\|.+\|\s*$/m,
  /^```/m,
  /\[[^\]\n]+\]\([^)\s]+\)/,
  /^> \S/m,
];
const TITLE_MAX_CHARS = 120;

/** What a text is, by its content, and what to call it when nobody says. */
export function describeText(content: string): {
  mediaType: 'text/markdown' | 'text/plain';
  title: string;
  heading: string | null;
} {
  const isMarkdown = MARKDOWN_SIGNS.some((sign) => sign.test(content));
  const heading = isMarkdown ? (/^# +(.+?)\s*#*$/m.exec(content)?.[1]?.trim() ?? null) : null;
  return {
    mediaType: isMarkdown ? 'text/markdown' : 'text/plain',
    title: shorten(heading ?? firstLine(content)),
    heading,
  };
}

function firstLine(content: string): string {
  return (
    content
      .split('\n', 20)
      .map((line) => line.trim())
      .find((line) => line !== '') ?? 'Untitled'
  );
}

/** A title of bounded length, cut between words. */
export function shorten(text: string): string {
  if (text.length <= TITLE_MAX_CHARS) return text;
  const cut = text.slice(0, TITLE_MAX_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), TITLE_MAX_CHARS / 2)).trimEnd()}…`;
}
