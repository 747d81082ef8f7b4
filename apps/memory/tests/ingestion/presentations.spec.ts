import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '@cairn/documents';
import { makeZip } from './make-files.ts';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const relation = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;
const paragraph = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (text: string, type = '') =>
  `<p:sp><p:nvPr>${type === '' ? '' : `<p:ph type="${type}"/>`}</p:nvPr><p:txBody>${paragraph(text)}</p:txBody></p:sp>`;
const slide = (title: string, text: string) => `<p:sld>${shape(title, 'title')}${shape(text)}</p:sld>`;
const notes = (text: string) => `<p:notes>${shape(text, 'body')}${shape('7', 'sldNum')}</p:notes>`;

async function slidesOf(entries: Record<string, string>) {
  const { blocks, title } = await parseDocument(makeZip(entries));
  return { title, blocks: blocks.map(({ text, headings, location }) => [location.page, headings[0], text]) };
}

describe('the slides of a presentation', () => {
  const slides = {
    'ppt/slides/slide1.xml': slide('Results', 'The mill made a profit.'),
    'ppt/slides/slide2.xml': slide('Welcome', 'The mill opened in 1892.'),
    'ppt/notesSlides/notesSlide1.xml': notes('Thank everybody.'),
  };

  it('have the order in which they are shown, and each its own notes', async () => {
    const { title, blocks } = await slidesOf({
      ...slides,
      'ppt/presentation.xml': `<p:presentation xmlns:r="${RELATIONS}"><p:sldIdLst><p:sldId id="256" r:id="r7"/><p:sldId id="257" r:id="r3"/></p:sldIdLst></p:presentation>`,
      'ppt/_rels/presentation.xml.rels': `<Relationships>${relation('r3', 'slide', 'slides/slide1.xml')}${relation('r7', 'slide', 'slides/slide2.xml')}</Relationships>`,
      'ppt/slides/_rels/slide2.xml.rels': `<Relationships>${relation('r1', 'notesSlide', '../notesSlides/notesSlide1.xml')}</Relationships>`,
    });
    expect(title).toBe('Welcome');
    expect(blocks).toEqual([
      [1, 'Welcome', 'Welcome\nThe mill opened in 1892.'],
      [1, 'Welcome', 'Thank everybody.'],
      [2, 'Results', 'Results\nThe mill made a profit.'],
    ]);
  });

  it('come by their numbers where the presentation does not say', async () => {
    const { blocks } = await slidesOf({ ...slides, 'ppt/presentation.xml': '<p:presentation/>' });
    expect(blocks.map(([page, heading]) => [page, heading])).toEqual([
      [1, 'Results'],
      [2, 'Welcome'],
    ]);
  });
});
