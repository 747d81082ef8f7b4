import { words } from '../../words/research.ts';

interface PageButtonsProps {
  page: number;
  pages: number;
  go: (page: number) => void;
}

export function PageButtons({ page, pages, go }: PageButtonsProps) {
  if (pages <= 1) return null;
  return (
    <p className="row">
      <button type="button" disabled={page <= 1} onClick={() => go(page - 1)}>
        {words.previous}
      </button>
      <span>{words.page(page, pages)}</span>
      <button type="button" disabled={page >= pages} onClick={() => go(page + 1)}>
        {words.next}
      </button>
    </p>
  );
}
