import { describe, expect, it } from '@jest/globals';
import { navigationOf } from './navigation.ts';
import { placeOfId } from './place-of-id.ts';

const namesOf = (scopes: string[]) => navigationOf(scopes).flatMap(({ screens }) => screens.map(({ to }) => to));

describe('navigation', () => {
  it('offers no screen on which a session could see nothing', () => {
    expect(namesOf([])).toEqual(['/']);
    expect(namesOf(['memory:search'])).toEqual(['/', '/ask']);
  });

  it('has no key twice', () => {
    const all = ['memory:search', 'documents:read', 'graph:read', 'memories:read', 'search:run', 'lists:read'];
    const keys = navigationOf([...all, 'keys:read', 'webhooks:read', 'usage:read', 'providers:read'])
      .flatMap(({ screens }) => screens.map(({ key }) => key))
      .filter((key) => key !== undefined);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(8);
  });
});

describe('a pasted id', () => {
  it.each([
    ['doc_1a2b', '/documents/doc_1a2b'],
    ['thr_1', '/runs/thr_1'],
    ['whk_1', '/webhooks/whk_1'],
    [' ent_1a2b ', '/entities/ent_1a2b'],
    ['chk_1', '/chunks/chk_1'],
  ])('%s opens %s', (id, place) => {
    expect(placeOfId(id)).toBe(place);
  });

  it.each(['doc_', 'hello', 'doc_1/../../x', 'ck_live_secret'])('%s opens nothing', (text) => {
    expect(placeOfId(text)).toBeNull();
  });
});
