import { describe, expect, it } from '@jest/globals';
import { stemEnglish, stemPorter2 } from './english-stemmer.ts';

describe('the English stemmer', () => {
  it("equals Snowball's on words that show its rules", () => {
    const pairs =
      'caresses:caress ponies:poni ties:tie gas:gas gaps:gap agreed:agre hoping:hope hopping:hop happily:happili relational:relat generously:generous generate:generat communism:communism dying:die skies:sky news:news inning:inning succeeds:succeed diffusion:diffus relative:relat national:nation controlling:control yes:yes saying:say adjustable:adjust replacement:replac knightly:knight';
    for (const pair of pairs.split(' ')) {
      const [word, stem] = pair.split(':');
      expect(`${word}:${stemPorter2(word!)}`).toBe(`${word}:${stem}`);
    }
  });

  it('shares one stem between a word and its irregular forms', () => {
    expect(stemEnglish('mice')).toBe(stemEnglish('mouse'));
    expect(stemEnglish('went')).toBe(stemEnglish('going'));
  });
});
