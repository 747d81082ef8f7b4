const EMPTY_WORDS = new Set(
  'a an the and or but if of to in on at for with by from as is are was were be been it its this that these those they them their he she his her not no than then so such also which who whom whose what when where why how there has have had do does did can could may might must shall should will would into over under about after before during between each all any both some more most other only own same up out off per via'.split(
    ' ',
  ),
);

/** Sentences of a report that cite nothing, or have a word or a number that nothing they cite has. */
export function unsupportedSentences(
  report: string,
  citations: readonly { number: number; quote: string; title: string }[],
): string[] {
  const byNumber = new Map(citations.map((citation) => [citation.number, citation]));
  const body = report.split(/^## Sources$/m, 1)[0]!;
  return body.split('\n').flatMap((line) => {
    // Headings, quoted questions and the rules of tables state nothing.
    if (line.trim() === '' || /^(?:#{1,6} |> ?|\| ?-{3})|^\|.*\| Source \|$/.test(line)) return [];
    const said = line.replace(/^[-*] /, '').replace(/ \((?:as of [^()]{1,40}|superseded)\)/g, '');
    const numbers = [...said.matchAll(/\[(\d{1,4})\]/g)].map(([, number]) => Number(number));
    const quotes = numbers.flatMap((number) => byNumber.get(number)?.quote ?? []);
    const known = new Set(quotes.flatMap(wordsOf));
    const missing = wordsOf(said.replace(/\[\d{1,4}\]/g, '')).filter((word) => !known.has(word));
    return quotes.length === 0 || missing.length > 0 ? [line] : [];
  });
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !EMPTY_WORDS.has(word));
}
