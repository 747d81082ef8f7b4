import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { createElement, Fragment, type ReactNode } from 'react';
import { words } from '../words/parts.ts';

const WEB = /^https?:\/\//;
/** A screen has its own first headings. */
const HEADINGS_BELOW = 2;

/** Markdown as elements by a list of allowed nodes; everything else is its text. Nothing is ever parsed as HTML. */
export function Markdown({ text }: { text: string }) {
  return <>{elementOf(fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }))}</>;
}

function elementOf(node: Nodes): ReactNode {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'inlineCode':
      return <code>{node.value}</code>;
    case 'code':
      return <pre>{node.value}</pre>;
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr />;
    case 'heading':
      return createElement(`h${Math.min(node.depth + HEADINGS_BELOW - 1, 6)}`, null, ...inside(node.children));
    case 'paragraph':
      return createElement('p', null, ...inside(node.children));
    case 'emphasis':
      return createElement('em', null, ...inside(node.children));
    case 'strong':
      return createElement('strong', null, ...inside(node.children));
    case 'blockquote':
      return createElement('blockquote', null, ...inside(node.children));
    case 'list':
      return createElement(node.ordered === true ? 'ol' : 'ul', null, ...inside(node.children));
    case 'listItem':
      return createElement('li', null, ...inside(node.children));
    case 'table':
      return (
        <div className="scroll" role="region" aria-label={words.table} tabIndex={0}>
          <table>{createElement('tbody', null, ...inside(node.children))}</table>
        </div>
      );
    case 'tableRow':
      return createElement('tr', null, ...inside(node.children));
    case 'tableCell':
      return createElement('td', null, ...inside(node.children));
    case 'link':
      return WEB.test(node.url)
        ? createElement('a', { href: node.url, rel: 'noopener noreferrer', target: '_blank' }, ...inside(node.children))
        : createElement(Fragment, null, ...inside(node.children));
    default:
      if ('children' in node) return createElement(Fragment, null, ...inside(node.children));
      return 'value' in node ? String(node.value) : null;
  }
}

function inside(children: readonly Nodes[]): ReactNode[] {
  return children.map(elementOf);
}
