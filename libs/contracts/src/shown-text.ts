// Controls, and marks that turn the direction of what stands after them: a name could be shown as another one.
const UNSHOWABLE = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const LAYOUT = /[\t\n\r]/g;

/** Whether people see a name as it is. */
export function isDisplayable(name: string): boolean {
  return !UNSHOWABLE.test(name);
}

/** The same of a text of several lines. */
export function isDisplayableText(text: string): boolean {
  return isDisplayable(text.replace(LAYOUT, ''));
}

/** A name that was read out of a document, as it may be shown. */
export function displayable(name: string): string {
  return name.replace(DIRECTION_MARKS, '');
}
