const ROLE_WITH_TARGET = /:[A-Za-z][\w:+.-]{0,40}:`([^`<]{1,300}?)\s{0,4}<[^`<>]{1,300}>`/g;
const ROLE = /:[A-Za-z][\w:+.-]{0,40}:`([!~]?)([^`]{1,300})`/g;
const LITERAL = /``([^`\n](?:[^`]|`(?!`)){0,400}?)``/g;
const LINK = /`([^`<]{1,300}?)\s{0,4}<[^`<>]{1,600}>`_{1,2}/g;
const REFERENCE = /`([^`]{1,300})`_{0,2}/g;
const STRONG = /(?<![\w*])\*\*([^\s*](?:[^*]{0,300}[^\s*])?)\*\*(?![\w*])/g;
const EMPHASIS = /(?<![\w*])\*([^\s*](?:[^*]{0,300}[^\s*])?)\*(?![\w*])/g;
const FOOTNOTE = / ?\[(?:#?\w{0,20}|\*)\]_(?!\w)/g;

/** The words of a text without reStructuredText's inline mark-up. */
export function inlineText(text: string): string {
  return text
    .replace(ROLE_WITH_TARGET, '$1')
    .replace(ROLE, (_all, sign: string, target: string) =>
      sign === '~' ? target.slice(target.lastIndexOf('.') + 1) : target,
    )
    .replace(LITERAL, '$1')
    .replace(LINK, '$1')
    .replace(REFERENCE, '$1')
    .replace(STRONG, '$1')
    .replace(EMPHASIS, '$1')
    .replace(FOOTNOTE, '')
    .replace(/\\ /g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
