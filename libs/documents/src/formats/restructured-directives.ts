/**
 * What becomes of a directive: its body is `code`, its argument and body are `text`, it is a note on a `version`, it
 * describes an `object`, or it serves the typesetter and is `dropped`.
 */
export type DirectiveKind = 'code' | 'text' | 'version' | 'object' | 'dropped';

const KINDS = new Map<string, DirectiveKind>([
  ...kindsOf('code', 'code code-block sourcecode parsed-literal doctest testcode testoutput productionlist'),
  ...kindsOf('text', 'note warning tip hint important caution danger attention error admonition seealso topic sidebar'),
  ...kindsOf(
    'text',
    'rubric epigraph highlights pull-quote compound container only centered table csv-table list-table',
  ),
  ...kindsOf('text', 'math glossary hlist impl-detail audit-event availability figure'),
  ...kindsOf('version', 'versionadded versionchanged versionremoved deprecated deprecated-removed'),
  ...kindsOf(
    'dropped',
    'index image toctree contents module currentmodule sectionauthor moduleauthor highlight include',
  ),
  ...kindsOf(
    'dropped',
    'testsetup testcleanup raw tabularcolumns default-role role meta date replace unicode literalinclude default-domain',
  ),
  ...kindsOf(
    'dropped',
    'automodule autoclass autofunction sectnum header footer target-notes py:module py:currentmodule',
  ),
]);

function kindsOf(kind: DirectiveKind, names: string): [string, DirectiveKind][] {
  return names.split(' ').map((name) => [name, kind]);
}

/** Directives that nobody knows describe objects, of whatever language; without a body they say nothing. */
export function directive(name: string, hasBody: boolean): DirectiveKind {
  // Docutils' `class` only styles what follows it; Sphinx's describes one.
  if (name === 'class' && !hasBody) return 'dropped';
  return KINDS.get(name.toLowerCase()) ?? 'object';
}
