/** Words that deny what stands beside them; those that end in `n’t` are recognised by that. */
export const CUES: ReadonlySet<string> = new Set(
  'not no never neither nor none nothing nobody nowhere cannot without hardly nicht kein keine keinen nie niemals ohne ne pas jamais sans nunca sin'.split(
    ' ',
  ),
);

/** Pairs of which only one can be meant. Written as `a/b`; endings are left to the comparison of words. */
const OPPOSITES =
  'before/after more/less more/fewer most/least increase/decrease increased/decreased increases/decreases rise/fall rose/fell higher/lower high/low maximum/minimum larger/smaller largest/smallest longer/shorter greater/less greater/smaller always/never first/last earliest/latest older/younger oldest/youngest earlier/later north/south northern/southern east/west eastern/western left/right above/below inside/outside enable/disable enabled/disabled enables/disables allow/forbid allowed/forbidden true/false open/closed opened/closed win/lose won/lost wins/loses accept/reject accepted/rejected include/exclude included/excluded includes/excludes add/remove added/removed adds/removes success/failure succeed/fail succeeds/fails begin/end began/ended start/stop started/stopped starts/stops male/female husband/wife father/mother son/daughter brother/sister buy/sell bought/sold import/export imports/exports read/write public/private optional/required optional/mandatory ascending/descending client/server upper/lower up/down on/off with/without possible/impossible legal/illegal safe/unsafe valid/invalid known/unknown'
    .split(' ')
    .map((pair) => pair.split('/') as [string, string]);

/** By each word of a pair, those that say the opposite. */
export const OPPOSITE_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...Map.groupBy([...OPPOSITES, ...OPPOSITES.map(([a, b]) => [b, a] as [string, string])], ([word]) => word)].map(
    ([word, pairs]) => [word, new Set(pairs.map(([, other]) => other))],
  ),
);
