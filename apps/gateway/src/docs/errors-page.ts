import { ERROR_CODES } from '@cairn/errors';

/** Words in backquotes are names; nothing else in the texts is markup. */
function htmlOf(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const sections = Object.entries(ERROR_CODES).map(
  ([code, { status, title, when, remedy }]) => `<section id="${code}">
<h2><a href="#${code}"><code>${code}</code></a> <small>${status}</small></h2>
<p>${htmlOf(title)}: ${htmlOf(when)}.</p>
${remedy === '' ? '' : `<p>${htmlOf(sentence(remedy))}</p>`}
</section>`,
);

/** What each error means and what to do about it: the page that `type` of a problem leads to. */
export const ERRORS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Errors of the Cairn API</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin: 2rem 0 0; font-size: 1.1rem; }
h2 a { color: inherit; }
p { margin: .3rem 0; }
section:target { outline: 2px solid; outline-offset: .6rem; }
</style>
</head>
<body>
<main>
<h1>Errors</h1>
<p>Every error has a <code>code</code> and a <code>request_id</code>. The code is stable; quote the request id when you
ask about an error. <a href="/docs/try">API reference</a></p>
${sections.join('\n')}
</main>
</body>
</html>
`;
