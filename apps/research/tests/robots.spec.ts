import { describe, expect, it } from '@jest/globals';
import { readRobots, robotsAllow, robotsFileOf } from '../src/reading/robots.ts';

const AT = 'http://foo.bar/';
const GROUPS =
  'allow: /foo/bar/\n\nuser-agent: FooBot\ndisallow: /\nallow: /x/\nuser-agent: BarBot\ndisallow: /\nallow: /y/\n\n\nallow: /w/\nuser-agent: BazBot\n\nuser-agent: FooBot\nallow: /z/\ndisallow: /\n';

/** The documented cases of RFC 9309 and of Google's parser: file, robot, path, whether it is allowed. */
const CASES: [string, string, string, string, boolean][] = [
  ['a group of lines', 'user-agent: FooBot\ndisallow: /\n', 'FooBot', 'x/y', false],
  ['lines that are no rules', 'foo: FooBot\nbar: /\n', 'FooBot', 'x/y', true],
  ['lines without a colon', 'user-agent FooBot\ndisallow /\n', 'FooBot', 'x/y', false],
  ['several groups of one robot', GROUPS, 'FooBot', 'x/b', true],
  ['several groups of one robot', GROUPS, 'FooBot', 'z/d', true],
  ['a group of another robot', GROUPS, 'FooBot', 'y/c', false],
  ['rules behind empty lines', GROUPS, 'BarBot', 'w/a', true],
  ['robots named one after the other', GROUPS, 'BazBot', 'z/d', true],
  ['robots named with a comment between', 'User-agent: a\nUser-agent: b\n# c\nDisallow: /\n', 'a', '', false],
  ['names in any case', 'USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n', 'foobot', 'x/y', true],
  ['a name up to its first blank', 'user-agent: FOO BAR\nallow: /x/\ndisallow: /\n', 'foo', 'a/b', false],
  ['the robot before everyone', 'user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n', 'FooBot', 'x/y', false],
  [
    'everyone when the robot is not named',
    'user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n',
    'BarBot',
    'x/y',
    true,
  ],
  [
    'another name that begins alike',
    'User-agent: foobot\nDisallow: /\nUser-agent: foobot-news\nAllow: /',
    'FooBot',
    'x',
    false,
  ],
  ['a name with a version', 'user-agent: FooBot/1.2\ndisallow: /\n', 'FooBot', 'x', false],
  ['paths in their own case', 'user-agent: FooBot\ndisallow: /x/\n', 'FooBot', 'X/y', true],
  ['the longer rule', 'user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n', 'FooBot', 'x/page.html', false],
  [
    'allow when both are equal',
    'user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/page.html\n',
    'FooBot',
    'x/page.html',
    true,
  ],
  ['empty rules', 'user-agent: FooBot\ndisallow: \nallow: \n', 'FooBot', 'x/page.html', true],
  ['the longer rule, allowing', 'user-agent: FooBot\ndisallow: /\nallow: /x\n', 'FooBot', 'x/', true],
  ['a slash that is missing', 'user-agent: FooBot\ndisallow: /x\nallow: /x/\n', 'FooBot', 'x', false],
  [
    'a query',
    'user-agent: FooBot\ndisallow: /\nallow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par\n',
    'FooBot',
    'foo/bar?qux=taz&baz=http://foo.bar?tar&par',
    true,
  ],
  [
    'a path that is not ASCII',
    'user-agent: FooBot\ndisallow: /\nallow: /foo/bar/ツ\n',
    'FooBot',
    'foo/bar/%E3%83%84',
    true,
  ],
  [
    'a path that is encoded',
    'user-agent: FooBot\ndisallow: /\nallow: /foo/bar/%E3%83%84\n',
    'FooBot',
    'foo/bar/%E3%83%84',
    true,
  ],
  ['needless encoding', 'user-agent: FooBot\ndisallow: /\nallow: /foo/bar/%62%61%7A\n', 'FooBot', 'foo/bar/baz', true],
  ['a star', 'user-agent: FooBot\ndisallow: /foo/bar*qux\n', 'FooBot', 'foo/bar/qux', false],
  ['an end', 'user-agent: FooBot\ndisallow: /foo/bar$\n', 'FooBot', 'foo/bar', false],
  ['an end that is not there', 'user-agent: FooBot\ndisallow: /foo/bar$\n', 'FooBot', 'foo/bar/baz', true],
  ['a star and an end', 'user-agent: FooBot\ndisallow: /a/*/b$\n', 'FooBot', 'a/c/b?x', true],
  ['comments', '# c\nuser-agent: FooBot # x\ndisallow: / # y\n', 'FooBot', '', false],
  ['a byte order mark', '\ufeffUser-Agent: foo\nAllow: /AnyValue\nUser-Agent: *\nDisallow: /', 'foo', 'x', true],
  ['lines that end in CR alone', 'User-agent: foo\rDisallow: /\r', 'foo', 'x', false],
  [
    'a sitemap, which ends no group',
    'User-agent: foo\nsitemap: http://x/\nuser-agent: bar\nDisallow: /\n',
    'foo',
    'x',
    false,
  ],
  ['nothing', '', 'FooBot', 'x', true],
];

describe('a robots.txt', () => {
  it.each(CASES)('with %s: %j', (_name, body, robot, path, allowed) => {
    expect(robotsAllow(body, robot, AT + path)).toBe(allowed);
  });

  it.each([
    [200, 'User-agent: *\nDisallow: /', false],
    [204, '', true],
    [301, '', true],
    [400, 'User-agent: *\nDisallow: /', true],
    [401, '', true],
    [403, '', true],
    [404, '', true],
    [410, '', true],
    [429, '', false],
    [500, '', false],
    [503, '', false],
  ])('that answers %s (RFC 9309, 2.3.1)', (status, body, allowed) => {
    expect(readRobots(robotsFileOf({ status, body }), 'http://foo.bar').allows(`${AT}x`)).toBe(allowed);
  });

  it('that cannot be reached forbids everything but itself', () => {
    const robots = readRobots(robotsFileOf(null), 'http://foo.bar');
    expect(robots.allows(`${AT}x`)).toBe(false);
  });

  it('says how long to wait between requests', () => {
    const file = robotsFileOf({ status: 200, body: 'user-agent: *\ncrawl-delay: 2\ndisallow:\n' });
    expect(readRobots(file, 'http://foo.bar').crawlDelaySeconds).toBe(2);
  });
});
