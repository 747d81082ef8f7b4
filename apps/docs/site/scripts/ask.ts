import { DOCUMENTATION_MEMORY } from '@cairn/pages/documentation';

/** Asks the documentation, which is a memory of this installation, with the session of the console. */

interface Source {
  doc_id: string;
  title: string;
}

interface Answer {
  answer: string;
  citations: (Source & { citation_id: string })[];
  results: Source[];
}

/** Pages that are named where none of them answers. */
const NEAREST_MAX = 3;

const SIGN_IN = 'Sign in to the console first, and ask again here:';
const NO_MEMORY =
  'This installation has no memory of its documentation. npm start makes one for a new installation; it takes a minute until it can be asked.';

class AskBox extends HTMLElement {
  /** How many questions were asked. */
  private turn = 0;

  connectedCallback(): void {
    const form = this.querySelector('form')!;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const query = this.querySelector('input')!.value.trim();
      if (query !== '') void this.ask(query);
    });
  }

  private async ask(query: string): Promise<void> {
    const turn = (this.turn += 1);
    // What is known only after a later question was asked does not belong under that one.
    const show = (...nodes: Node[]): void => {
      if (turn === this.turn) this.querySelector('output')!.replaceChildren(...nodes);
    };
    show(document.createTextNode('…'));
    try {
      const memory = await documentationMemory();
      if (memory === null) return show(document.createTextNode(NO_MEMORY));
      const body = JSON.stringify({ memory_id: memory, query });
      const found = (await call('/memory/search', { method: 'POST', body })) as Answer;
      show(...(await shown(found, memory)));
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return show(...signIn());
      show(document.createTextNode(error instanceof Error ? error.message : String(error)));
    }
  }
}

class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function call(path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'cairn-environment': 'live' };
  const response = await fetch(`/api/v1${path}`, { ...init, headers });
  const answer = (await response.json()) as { detail?: string };
  if (!response.ok) throw new Refused(response.status, answer.detail ?? response.statusText);
  return answer;
}

async function documentationMemory(): Promise<string | null> {
  const { memories } = (await call('/memories')) as { memories: { memory_id: string; display_name: string }[] };
  return memories.find(({ display_name }) => display_name === DOCUMENTATION_MEMORY)?.memory_id ?? null;
}

async function shown({ answer, citations, results }: Answer, memory: string): Promise<Node[]> {
  const text = document.createElement('p');
  text.textContent = answer;
  const list = document.createElement('ul');
  for (const citation of citations) list.append(await linkTo(citation, memory, `[${citation.citation_id}] `));
  if (citations.length > 0) return [text, list];
  const nearest = [...new Map(results.map((found) => [found.doc_id, found])).values()].slice(0, NEAREST_MAX);
  for (const found of nearest) list.append(await linkTo(found, memory, ''));
  return nearest.length === 0 ? [text] : [text, document.createTextNode('The nearest pages:'), list];
}

/** The page is the document's external id with the ending of its Markdown. */
async function linkTo({ doc_id, title }: Source, memory: string, before: string): Promise<HTMLElement> {
  const item = document.createElement('li');
  const path = `/memory/documents/${encodeURIComponent(doc_id)}?memory_id=${encodeURIComponent(memory)}`;
  const { external_id } = (await call(path)) as { external_id: string | null };
  const link = document.createElement('a');
  link.href = `/docs/${(external_id ?? '').replace(/(?:^index)?\.md$/, '')}`;
  link.textContent = title;
  item.append(before, link);
  return item;
}

function signIn(): Node[] {
  const link = document.createElement('a');
  link.href = '/console';
  link.textContent = 'open the console';
  const command = document.createElement('code');
  command.textContent = 'cairn console';
  return [document.createTextNode(`${SIGN_IN} `), link, document.createTextNode(', or follow the link of '), command];
}

customElements.define('cairn-ask', AskBox);
