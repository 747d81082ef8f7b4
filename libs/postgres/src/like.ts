/** A text for a pattern of LIKE, in which it stands for itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** A pattern of LIKE for what contains the text. */
export function likePattern(text: string): string {
  return `%${escapeLike(text)}%`;
}
