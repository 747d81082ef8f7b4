import { expect, it } from '@jest/globals';
import { answersPage } from './answers-page.ts';

it('shows each question with the first sentence that was found and the answer, as text and never as markup', () => {
  const body = 'A bridge <b>spans</b> the river. The bridge was opened in 1931.';
  const passage = { chunkId: 'c', docId: 'd', title: 'Bridges', titlePath: 'Bridges › Steel & wood', body, score: 1 };
  const page = answersPage('Answers', [{ question: 'When was the bridge opened?', passages: [passage], further: [] }]);
  expect(page).toContain('<h2>1. When was the bridge opened?</h2>');
  expect(page).toContain('<p>A bridge &lt;b&gt;spans&lt;/b&gt; the river.</p>');
  expect(page).toContain('<p>The bridge was opened in 1931. [1]</p>');
  expect(page).toContain('<li>Bridges › Steel &amp; wood</li>');
});
