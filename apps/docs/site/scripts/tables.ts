/** A table that is wider than the page is scrolled inside, also by who has no mouse: it takes the focus then. */
function makeReachable(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>('main table')) {
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
    else table.removeAttribute('tabindex');
  }
}

makeReachable();
addEventListener('resize', makeReachable);
