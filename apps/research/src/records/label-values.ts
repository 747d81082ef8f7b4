import { cutText } from '@cairn/language';
import { childrenOf, classWords, type Element, isNavigation, oneLine, textOf } from './dom.ts';
import type { RecordField } from './record.ts';

const LABEL_MAX_CHARS = 40;
const VALUE_MAX_CHARS = 400;
const FIELDS_MAX = 200;
const LABELLED = /^([\p{L}][\p{L}\p{N} ./()'’&-]{0,39}?)\s?[:：]\s+(.{1,400})$/u;
/** Class names that say where something is on the page, not what it is. */
const LAYOUT =
  /^(?:card|item|row|col|column|box|block|wrap|wrapper|container|inner|outer|content|text|body|main|entry|list|grid|left|right|top|bottom|header|footer|title|heading|link|btn|button|icon|image|img|clearfix|active|first|last|odd|even|name|value|label|key|term|data|field|info|meta|details?|d|p|t|x|small|muted|lead|badge|tag|tags|hidden)(?:$| )/;

/** The labelled values inside an element, without those inside `except`. */
export function labelledFields(root: Element, except: readonly Element[] = []): RecordField[] {
  const fields: RecordField[] = [];
  const add = (label: string, value: string, origin: RecordField['origin'] = 'label') => {
    const name = oneLine(label)
      .replace(/[:：]$/, '')
      .trimEnd();
    const text = oneLine(value);
    if (name === '' || name.length > LABEL_MAX_CHARS || text === '' || fields.length >= FIELDS_MAX) return;
    fields.push({ label: name, value: cutText(text, VALUE_MAX_CHARS), origin });
  };
  const visit = (element: Element, depth: number) => {
    if (depth > 40 || except.includes(element) || isNavigation(element)) return;
    const { localName } = element;
    if (localName === 'dl') return readDefinitions(element, add);
    if (localName === 'table' && readKeyTable(element, add)) return;
    const children = childrenOf(element);
    if (readPair(element, children, add)) return;
    if (children.length === 0 || isLeaf(element)) readLeaf(element, add);
    for (const child of children) visit(child, depth + 1);
  };
  visit(root, 0);
  return fields;
}

type Add = (label: string, value: string, origin?: RecordField['origin']) => void;

function readDefinitions(list: Element, add: Add): void {
  let label = '';
  let values: string[] = [];
  const flush = () => {
    if (label !== '' && values.length > 0) add(label, values.join(', '));
    values = [];
  };
  const entries = childrenOf(list).flatMap((child) => (child.localName === 'div' ? childrenOf(child) : [child]));
  for (const entry of entries) {
    if (entry.localName === 'dt') {
      flush();
      label = textOf(entry, 100);
    } else if (entry.localName === 'dd') values.push(textOf(entry, VALUE_MAX_CHARS));
  }
  flush();
}

/** A table whose rows are a label and a value; false for any other. */
function readKeyTable(table: Element, add: Add): boolean {
  const rows = rowsOf(table).filter((row) => row.length > 0);
  const isPlain = arePlainPairs(rows);
  const pairs = rows.filter((row) => row.length === 2 && (isPlain || isLabelCell(row[0]!, row[1]!)));
  const headed = rows[0]?.length === 2 && rows[0].every((cell) => cell.localName === 'th');
  if (headed || pairs.length === 0 || pairs.length < rows.filter((row) => row.length > 1).length * 0.7) return false;
  for (const [label, value] of pairs) add(textOf(label!, 100), textOf(value!, VALUE_MAX_CHARS));
  return true;
}

/** Rows of two cells, of which no markup says that the first is a label; but each is another short word or two. */
function arePlainPairs(rows: readonly Element[][]): boolean {
  const labels = rows.map((row) => textOf(row[0]!, 100));
  return (
    rows.length >= 2 &&
    rows.every((row) => row.length === 2 && row.every((cell) => cell.localName === 'td')) &&
    new Set(labels).size === labels.length &&
    labels.every((label) => /^\p{L}[\p{L} /().:-]*$/u.test(label) && label.split(' ').length <= 3) &&
    rows.every(([label]) => label!.querySelector('a') === null)
  );
}

function isLabelCell(label: Element, value: Element): boolean {
  if (value.localName !== 'td') return false;
  const text = textOf(label, 100);
  if (text === '' || text.length > LABEL_MAX_CHARS) return false;
  if (label.localName === 'th' || /[:：]$/.test(text)) return true;
  return (
    label.querySelector('b,strong') !== null || /\b(?:label|key|term|name)\b/.test(label.getAttribute('class') ?? '')
  );
}

export function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = [];
  for (const row of table.querySelectorAll('tr')) {
    if (rows.length >= 2_000) break;
    rows.push(childrenOf(row).filter(({ localName }) => localName === 'td' || localName === 'th'));
  }
  return rows;
}

/** `<b>Price:</b> 10`, or a label and a value side by side whose classes or repetition say so. */
function readPair(element: Element, children: readonly Element[], add: Add): boolean {
  const [first, second] = children;
  if (first === undefined) return false;
  const label = textOf(first, 100);
  if (label === '' || label.length > LABEL_MAX_CHARS) return false;
  const whole = textOf(element, VALUE_MAX_CHARS + LABEL_MAX_CHARS);
  if (!whole.startsWith(label)) return false;
  const rest = whole.slice(label.length).trim();
  const isInline = /^(?:b|strong|em|span|label|i|small|dt)$/.test(first.localName);
  if (isInline && rest !== '' && !hasBlocks(element) && (/[:：]$/.test(label) || /^[:：]/.test(rest))) {
    // Several pairs may stand on one line, separated by breaks.
    if (children.filter(({ localName }) => localName === first.localName).length > 1)
      return readRun(element, first, add);
    add(label, rest.replace(/^[:：]\s*/, ''));
    return true;
  }
  if (children.length !== 2 || second === undefined || textOf(second) === '') return false;
  const isMarked =
    /\b(?:label|key|term|title|name|heading)\b/.test(classWords(first)) &&
    /\b(?:value|data|text|content|val|detail|desc|description)\b/.test(classWords(second));
  if (isMarked || (/[:：]$/.test(label) && rest !== '')) {
    add(label, textOf(second, VALUE_MAX_CHARS));
    return true;
  }
  return isRepeatedPair(element, first, second) && (add(label, textOf(second, VALUE_MAX_CHARS)), true);
}

/** Labels in bold with their values after them, one after the other. */
function readRun(element: Element, first: Element, add: Add): boolean {
  let label = '';
  let value = '';
  for (const node of element.childNodes) {
    if (node.nodeType === 1 && node.localName === first.localName && /[:：]\s*$/.test(`${node.textContent ?? ''}`)) {
      if (label !== '') add(label, value);
      label = textOf(node, 100);
      value = '';
    } else value += ` ${node.textContent ?? ''}`;
  }
  if (label !== '') add(label, value.replace(/^\s*[:：]/, ''));
  return true;
}

/** At least three siblings that are pairs of the same two elements, each first one another short label. */
function isRepeatedPair(element: Element, first: Element, second: Element): boolean {
  if (first.localName === 'a' || second.localName === 'a' || first.querySelector('a') !== null) return false;
  if (/^h[1-3]$/.test(first.localName) || element.localName === 'tr') return false;
  const siblings = element.parentElement === null ? [] : childrenOf(element.parentElement);
  const alike = siblings.filter((sibling) => {
    const [one, other, more] = childrenOf(sibling);
    return more === undefined && one?.localName === first.localName && other?.localName === second.localName;
  });
  return (
    alike.length >= 3 &&
    alike.every((one) => textOf(childrenOf(one)[0]!, 100).length <= LABEL_MAX_CHARS) &&
    alike.every((one) => !/\d/.test(textOf(childrenOf(one)[0]!, 100)) && one.querySelector('img,h1,h2,h3') === null)
  );
}

function hasBlocks(element: Element): boolean {
  return element.querySelector('p,div,ul,ol,table,h1,h2,h3,h4,section') !== null;
}

/** Without blocks of its own. */
function isLeaf(element: Element): boolean {
  return (
    /^(?:p|li|span|div|td|dd|time|address|small|em|h[2-6])$/.test(element.localName) &&
    element.querySelector('p,div,ul,ol,table,dl,section,h1,h2,h3,h4,span,time,small') === null
  );
}

function readLeaf(element: Element, add: Add): void {
  const href = element.getAttribute('href') ?? '';
  if (href.startsWith('mailto:')) return add('email', decoded(href.slice(7).split('?', 1)[0]!), 'data');
  if (href.startsWith('tel:')) return add('phone', textOf(element, 60) || href.slice(4), 'data');
  const text = textOf(element, VALUE_MAX_CHARS + LABEL_MAX_CHARS + 4);
  if (text === '') return;
  const labelled = LABELLED.exec(text);
  if (labelled !== null && labelled[1]!.split(' ').length <= 5) return add(labelled[1]!, labelled[2]!);
  if (element.localName === 'time') return add(classWords(element) || 'date', text, 'class');
  const words = classWords(element);
  if (words !== '' && !LAYOUT.test(words) && text.length <= 160 && !/^h[1-3]$/.test(element.localName))
    add(words, text, 'class');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
