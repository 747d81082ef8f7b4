import { Fragment } from 'react';
import { markSpans, type Span } from '../text/mark-spans.ts';

/** A mask stands where a value was taken out before the text was stored: `[[EMAIL_1]]`. */
const MASK = /(\[\[[A-Z][A-Z_]*_\d+\]\])/;
const MASK_NAME = /^\[\[([A-Z_]+_\d+)\]\]$/;

export interface TextMark extends Span {
  kind: 'asked' | 'fact';
  title?: string;
}

/** Text with its marks, and its masks as chips. The first asked-for mark has the id `asked`, to be scrolled to. */
export function MarkedText({ text, marks }: { text: string; marks: readonly TextMark[] }) {
  const pieces = markSpans(text, marks);
  const firstAsked = pieces.findIndex((piece) => piece.marks.some(({ kind }) => kind === 'asked'));
  return (
    <>
      {pieces.map((piece, index) => {
        const asked = piece.marks.some(({ kind }) => kind === 'asked');
        const inner = <Masked text={piece.text} />;
        // Pieces have no other name than their place.
        // oxlint-disable-next-line react/no-array-index-key
        const key = index;
        if (piece.marks.length === 0) return <Fragment key={key}>{inner}</Fragment>;
        const title = piece.marks.map((mark) => mark.title ?? '').join('; ');
        return (
          <mark
            key={key}
            id={index === firstAsked ? 'asked' : undefined}
            className={asked ? 'asked' : undefined}
            title={title}
          >
            {inner}
          </mark>
        );
      })}
    </>
  );
}

function Masked({ text }: { text: string }) {
  return text.split(MASK).map((part, index) => {
    const name = MASK_NAME.exec(part)?.[1];
    // oxlint-disable-next-line react/no-array-index-key
    const key = index;
    return name === undefined ? (
      <Fragment key={key}>{part}</Fragment>
    ) : (
      <span key={key} className="masked">
        {name}
      </span>
    );
  });
}
