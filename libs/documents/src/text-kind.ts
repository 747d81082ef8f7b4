import { cutBetweenWords } from '@cairn/language';

const MARKDOWN_SIGNS = [
  /^#{1,6} \S/m,
  /^[^\S\n\r\u2028\u2029]*(?:[-*+]|\d{1,3}\.) \S/m,
  /^\|.+\|\s*$/m,
  /^```/m,
  /\[[^[\]\n]+\]\([^()\s]+\)/,
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
  const heading = isMarkdown ? headingIn(content) : null;
  return {
    mediaType: isMarkdown ? 'text/markdown' : 'text/plain',
    title: shorten(heading ?? firstLine(content)),
    heading,
  };
}

/** The first heading of the highest rank, without the signs that may close it. */
function headingIn(content: string): string | null {
  const line = /^# +(\S.*)/m.exec(content)?.[1];
  const text = line?.replace(/(?<!#)#+$/, '').trim();
  return text === undefined || text === '' ? null : text;
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
  return text.length <= TITLE_MAX_CHARS ? text : `${cutBetweenWords(text, TITLE_MAX_CHARS)}…`;
}
