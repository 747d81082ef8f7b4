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
  const parsed = robotsParser(`${origin}/robots.txt`, normalised(file.body, ROBOT_NAME));
  return {
    allows: (url) => new URL(url).pathname === '/robots.txt' || parsed.isAllowed(url, ROBOT_NAME) !== false,
    crawlDelaySeconds: parsed.getCrawlDelay(ROBOT_NAME) ?? 0,
  };
}

/** Whether the file lets a robot of that name fetch the URL; the form the published test cases have. */
export function robotsAllow(body: string, robot: string, url: string): boolean {
  return robotsParser(`${new URL(url).origin}/robots.txt`, normalised(body, robot)).isAllowed(url, robot) !== false;
}

const DIRECTIVE = /^(user-?agent|allow|disallow|dissallow|disalow|dissalow|diasllow|disallaw|crawl-delay)(?=[:\s])/i;
/** Stands for every robot that is not the one that asks. */
const OTHER_ROBOT = '?';

/**
 * The lines that decide, in the form that the parser reads: others end no group (RFC 9309, 2.2.4), a robot is named by
 * letters, `_` and `-` (2.2.1), and what needs no percent encoding is compared without it (2.2.2). Missing colons and
 * common misspellings are accepted, as in Google's parser. A group names each robot once: the parser copies every rule
 * for every name, and a file of 500 kB has room for thousands of both.
 */
function normalised(text: string, robot: string): string {
  const lines: string[] = [];
  let groupRobots = new Set<string>();
  let inRules = false;
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const directive = directiveIn(line);
    if (directive === null) continue;
    const { name, value } = directive;
    if (name !== 'user-agent') {
      inRules = true;
      lines.push(`${name}: ${name === 'crawl-delay' ? value : decodedUnreserved(value)}`);
      continue;
    }
    if (inRules) groupRobots = new Set();
    inRules = false;
    const named = robotNamed(value, robot);
    if (!groupRobots.has(named)) lines.push(`user-agent: ${named}`);
    groupRobots.add(named);
  }
  return lines.join('\n');
}

function directiveIn(
  line: string,
): { name: 'user-agent' | 'allow' | 'disallow' | 'crawl-delay'; value: string } | null {
  const text = line.split('#', 1)[0]!.trim();
  const written = DIRECTIVE.exec(text)?.[1]!.toLowerCase();
  if (written === undefined) return null;
  const rest = text.slice(written.length).trimStart();
  const value = (rest.startsWith(':') ? rest.slice(1) : rest).trim();
  if (written.startsWith('user')) return { name: 'user-agent', value };
  return { name: written.startsWith('di') ? 'disallow' : (written as 'allow' | 'crawl-delay'), value };
}

/** The robot that asks, `*` for all, or one name for all others. */
function robotNamed(value: string, robot: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*';
  const name = /^[a-z_-]*/i.exec(value)![0];
  return name.toLowerCase() === robot.toLowerCase() ? name : OTHER_ROBOT;
}

function decodedUnreserved(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (encoded, hex: string) => {
    const character = String.fromCharCode(parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded.toUpperCase();
  });
}
