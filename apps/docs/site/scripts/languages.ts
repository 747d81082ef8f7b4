/** The same call in several languages: one is shown, and the reader's choice holds for every call on every page. */

const STORAGE_KEY = 'cairn-language';

class Languages extends HTMLElement {
  connectedCallback(): void {
    const frames = [...this.querySelectorAll<HTMLElement>('figure')];
    const names = frames.map((frame) => frame.querySelector('.title')?.textContent ?? '');
    if (names.length < 2 || this.querySelector('.languages') !== null) return;
    const bar = document.createElement('div');
    bar.className = 'languages';
    bar.setAttribute('role', 'group');
    bar.setAttribute('aria-label', 'Language');
    for (const name of names) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = name;
      button.addEventListener('click', () => choose(name));
      bar.append(button);
    }
    this.prepend(bar);
    this.classList.add('chosen');
    this.show(chosen() ?? names[0]!);
  }

  show(name: string): void {
    const buttons = [...this.querySelectorAll<HTMLButtonElement>('.languages button')];
    if (!buttons.some(({ textContent }) => textContent === name)) return;
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.textContent === name));
    for (const frame of this.querySelectorAll<HTMLElement>('figure'))
      frame.closest<HTMLElement>('.expressive-code')!.hidden = frame.querySelector('.title')?.textContent !== name;
  }
}

function chosen(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function choose(name: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, name);
  } catch {
    // Where nothing can be kept, the choice holds for this page.
  }
  for (const each of document.querySelectorAll<Languages>('cairn-languages')) each.show(name);
}

customElements.define('cairn-languages', Languages);
