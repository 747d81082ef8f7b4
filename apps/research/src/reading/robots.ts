import robotsParserModule from 'robots-parser';

// Its types declare a default export, which CommonJS modules lack.
const robotsParser = robotsParserModule as unknown as (
  url: string,
  text: string,
) => { isAllowed(url: string, robot: string): boolean | undefined; getCrawlDelay(robot: string): number | undefined };

/** The robots.txt of a site, or the meaning of its absence (RFC 9309, 2.3.1). */
export type RobotsFile = { rule: 'allow' } | { rule: 'disallow'; reason: string } | { rule: 'file'; body: string };

/** The product token of this crawler in robots.txt. */
export const ROBOT_NAME = 'CairnBot';
/** RFC 9309, 2.5: at least this much must be parsed. */
export const ROBOTS_MAX_BYTES = 512_000;

interface Robots {
  allows(url: string): boolean;
  /** Crawl delay that the site asks for, in seconds; 0 without one. */
  crawlDelaySeconds: number;
}

/** What a response to the request for robots.txt means; null is no response. */
export function robotsFileOf(response: { status: number; body: string } | null): RobotsFile {
  if (response === null) return { rule: 'disallow', reason: 'robots.txt is unreachable' };
  const { status, body } = response;
  if (status >= 200 && status < 300) return { rule: 'file', body: body.slice(0, ROBOTS_MAX_BYTES) };
  // A site that rate-limits requests is not a site without rules.
  if (status === 429 || status >= 500) return { rule: 'disallow', reason: `robots.txt returned ${status}` };
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

/** Whether the file allows a robot of that name to fetch the URL; the signature of the published test cases. */
export function robotsAllow(body: string, robot: string, url: string): boolean {
  return robotsParser(`${new URL(url).origin}/robots.txt`, normalised(body, robot)).isAllowed(url, robot) !== false;
}

const DIRECTIVE = /^(user-?agent|allow|disallow|dissallow|disalow|dissalow|diasllow|disallaw|crawl-delay)(?=[:\s])/i;
/** Stands for every other robot. */
const OTHER_ROBOT = '?';

/**
 * The relevant lines in the form that the parser expects: other lines end no group (RFC 9309, 2.2.4), a robot is named
 * by letters, `_` and `-` (2.2.1), and characters that need no percent encoding are compared decoded (2.2.2). Missing
 * colons and common misspellings are accepted, as in Google's parser. A group names each robot once, because the parser
 * copies every rule for every name, and a file of 500 kB has room for thousands of both.
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

/** This robot, `*` for all, or one name for all others. */
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
