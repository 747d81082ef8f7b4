import robotsParserModule from 'robots-parser';

// Its types speak of a default export that CommonJS modules have not.
const robotsParser = robotsParserModule as unknown as (
  url: string,
  text: string,
) => { isAllowed(url: string, robot: string): boolean | undefined; getCrawlDelay(robot: string): number | undefined };

/** What a site's robots.txt says, or what its absence means (RFC 9309, 2.3.1). */
export type RobotsFile = { rule: 'allow' } | { rule: 'disallow'; reason: string } | { rule: 'file'; body: string };

/** The token that sites name this crawler by. */
export const ROBOT_NAME = 'CairnBot';
/** RFC 9309, 2.5: at least this much must be read. */
export const ROBOTS_MAX_BYTES = 512_000;

export interface Robots {
  allows(url: string): boolean;
  /** Seconds between requests that the site asks for; 0 when it says nothing. */
  crawlDelaySeconds: number;
}

/** What an answer to the request for robots.txt means; null is no answer at all. */
export function robotsFileOf(answer: { status: number; body: string } | null): RobotsFile {
  if (answer === null) return { rule: 'disallow', reason: 'robots.txt cannot be reached' };
  const { status, body } = answer;
  if (status >= 200 && status < 300) return { rule: 'file', body: body.slice(0, ROBOTS_MAX_BYTES) };
  // A site that asks for fewer requests is not one without rules.
  if (status === 429 || status >= 500) return { rule: 'disallow', reason: `robots.txt answers ${status}` };
  return { rule: 'allow' };
}

export function readRobots(file: RobotsFile, origin: string): Robots {
  if (file.rule === 'allow') return { allows: () => true, crawlDelaySeconds: 0 };
  if (file.rule === 'disallow') return { allows: () => false, crawlDelaySeconds: 0 };
  const parsed = robotsParser(`${origin}/robots.txt`, normalised(file.body));
  return {
    allows: (url) => new URL(url).pathname === '/robots.txt' || parsed.isAllowed(url, ROBOT_NAME) !== false,
    crawlDelaySeconds: parsed.getCrawlDelay(ROBOT_NAME) ?? 0,
  };
}

/** Whether the file lets a robot of that name fetch the URL; the form the published test cases have. */
export function robotsAllow(body: string, robot: string, url: string): boolean {
  return robotsParser(`${new URL(url).origin}/robots.txt`, normalised(body)).isAllowed(url, robot) !== false;
}

const LINE =
  /^\s*(user-?agent|useragent|allow|disallow|dissallow|disalow|dissalow|diasllow|disallaw|crawl-delay)\s*(?::\s*|\s+)(.*)$/i;

/**
 * The lines that decide, in the form the parser takes them in: others end no group (RFC 9309, 2.2.4), a robot is named
 * by letters, `_` and `-` (2.2.1), and what needs no percent encoding is compared without it (2.2.2). Missing colons
 * and common misspellings are read as meant, as Google's parser does.
 */
function normalised(text: string): string {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .flatMap((line) => {
      const match = LINE.exec(line.replace(/#.*$/, '').trim());
      if (match === null) return [];
      const name = match[1]!.toLowerCase();
      const value = match[2]!.trim();
      if (name.startsWith('user'))
        return [`user-agent: ${/^\*(?:\s|$)/.test(value) ? '*' : /^[a-z_-]*/i.exec(value)![0] || '?'}`];
      const directive = name.startsWith('di') ? 'disallow' : name;
      return [`${directive}: ${directive === 'crawl-delay' ? value : decodedUnreserved(value)}`];
    });
  return lines.join('\n');
}

function decodedUnreserved(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (encoded, hex: string) => {
    const character = String.fromCharCode(parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded.toUpperCase();
  });
}
