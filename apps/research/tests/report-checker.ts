/** The checker's input. It is independent of how the report was generated. */
interface CheckedReport {
  report: string;
  citations: { number: number; source_id: string; quote: string; start: number }[];
  /** The stored texts by source. */
  sources: ReadonlyMap<string, string>;
}

/** Words that carry no fact; every other word of a sentence must occur in what it cites. */
const EMPTY_WORDS = new Set(
  'a an the and or but if of to in on at for with by from as is are was were be been it its this that these those they them their he she his her we our you your not no than then so such also which who whom whose what when where why how there here has have had do does did can could may might must shall should will would into over under about after before during between each every all any both some more most other only own same up out off per via'.split(
    ' ',
  ),
);

/** All faults of a report: sentences without a citation, citations without their span, words without support. */
export function checkReport({ report, citations, sources }: CheckedReport): { sentences: number; faults: string[] } {
  const faults: string[] = [];
  const byNumber = new Map(citations.map((citation) => [citation.number, citation]));
  for (const { number, source_id, quote, start } of citations) {
    if (sources.get(source_id)?.slice(start, start + quote.length) !== quote)
      faults.push(`[${number}] is not in its source`);
  }
  let sentences = 0;
  for (const line of report.split('\n')) {
    // Headings, quoted lines and reference lines state nothing.
    if (line.trim() === '' || /^#{1,6} |^> ?|^(?:\[\d+\] ?)+: |^\| ?-{3}|\| Source \|$/.test(line)) continue;
    // "(as of …)" is the date of the source, and a row ends in the number of its citation.
    const plain = line
      .replace(/^[-*] /, '')
      .replace(/ \(as of [^()]{1,40}\)/, '')
      .replace(/^\| (.+) \| (\[\d+\]) \|$/, '$1. $2');
    for (const [, sentence, cited] of plain.matchAll(/(.+?)((?:\s*\[\d+\])+|$)(?=\s|$)/g)) {
      if (sentence!.trim() === '') continue;
      sentences += 1;
      const numbers = [...cited!.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]));
      const quotes = numbers.flatMap((number) => byNumber.get(number)?.quote ?? []);
      if (quotes.length === 0 || quotes.length !== numbers.length) {
        faults.push(`without a citation: ${sentence}`);
        continue;
      }
      const supported = new Set(quotes.flatMap(contentWords));
      const missing = contentWords(sentence!).filter((word) => !supported.has(word));
      if (missing.length > 0) faults.push(`not supported (${missing.join(', ')}): ${sentence}`);
    }
  }
  return { sentences, faults };
}

function contentWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !EMPTY_WORDS.has(word));
}
