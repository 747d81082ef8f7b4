/** The first `max` units of a text, one less where a surrogate pair would be cut. */
export function cutText(text: string, max: number): string {
  return text.slice(0, text.length > max && isHighSurrogate(text, max - 1) ? max - 1 : max);
}

/** At most `max` units of a text, up to the end of a word; half as many where no word ends in the second half. */
export function cutBetweenWords(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = cutText(text, max);
  return cutText(cut, Math.max(cut.lastIndexOf(' '), Math.ceil(max / 2))).trimEnd();
}

export function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xdc00;
}
