/**
 * Snowball's English list of 127 words, the one PostgreSQL has, and the contractions of those words. Not
 * @orama/stopwords' list: it lacks `a`, `s`, `t`, `can` and `will`, and drops `may`, which is also a month.
 */
export const ENGLISH_STOP_WORDS: readonly string[] = `
i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself they them their theirs themselves what which who whom this that these those am is are was were be been being have has had having do does did doing a an the and but if or because as until while of at by for with about against between into through during before after above below to from up down in out on off over under again further then once here there when where why how all any both each few more most other some such no nor not only own same so than too very s t can will just don should now
i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd they'd i'll you'll he'll she'll we'll they'll isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't shan't shouldn't can't cannot couldn't mustn't let's that's who's what's here's there's when's where's why's how's
`
  .trim()
  .split(/\s+/);

/** English words that carry nothing of what a sentence says; those that deny are not among them. */
export const ENGLISH_FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'a an the and or but if of to in on at for with by from as is are was were be been being am it its it’s this that these those they them their theirs he his him she her hers we our us you your i my me so such also too which who whom whose what when where why how there here has have had having do does did doing into onto over during between each both all then thus hence very just only even still again itself himself herself themselves one’s oneself will would shall should may might can could must upon within while whereas although though because since until'.split(
    ' ',
  ),
);

/**
 * English, German, French, Spanish and Dutch words of the closed classes, which hold sentences together, and those that
 * point to where a value is: a text with one of them is prose.
 */
export const EUROPEAN_FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those my your his her its our their it they we you he she i who which ' +
    'is are was were be been being has have had do does did will would can could may might must shall should not no never ' +
    'for of on to in at from by with as into until till after before when while if unless because so and or but than then via per ' +
    'see ask use uses ' +
    'der die das den dem ein eine einer ist sind war wird werden und oder nicht für von zu im am auf mit bei siehe als ' +
    'le la les un une est sont et ou pas pour de du des sur dans avec par voir comme ' +
    'el los las es son y o no para del en con por ver como ' +
    'het een is zijn en of niet voor van op met door zie'
  ).split(' '),
);
