export interface Span {
  start: number;
  end: number;
}

interface Piece<Mark> {
  text: string;
  /** What covers this piece, in the order of the marks given; none where the text is unmarked. */
  marks: Mark[];
}

/** Cuts the text where a mark begins or ends, so that marks may overlap. Marks beyond the text are cut off. */
export function markSpans<Mark extends Span>(text: string, marks: readonly Mark[]): Piece<Mark>[] {
  const inside = marks
    .map((mark) => ({ mark, start: clamp(mark.start, text.length), end: clamp(mark.end, text.length) }))
    .filter(({ start, end }) => start < end);
  const cuts = new Set([0, text.length]);
  for (const { start, end } of inside) cuts.add(start).add(end);
  const places = [...cuts].toSorted((left, right) => left - right);
  return places.slice(0, -1).map((start, index) => ({
    text: text.slice(start, places[index + 1]),
    marks: inside.filter((each) => each.start <= start && start < each.end).map(({ mark }) => mark),
  }));
}

function clamp(place: number, length: number): number {
  return Math.min(Math.max(place, 0), length);
}

/** Where the quote stands in the text; null when it does not stand there word for word. */
export function spanOfQuote(text: string, quote: string): Span | null {
  const start = quote === '' ? -1 : text.indexOf(quote);
  return start === -1 ? null : { start, end: start + quote.length };
}
