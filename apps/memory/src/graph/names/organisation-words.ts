/** Last words that make a name an organisation's, and those that make it a place's. */
export const ORGANISATION_ENDINGS: ReadonlySet<string> = new Set(
  'gmbh ag kg se ug ev inc incorporated ltd limited llc llp plc corp corporation co company sa sas sarl bv nv oy ab as spa srl pty foundation university college institute school academy bank association agency authority ministry department committee council commission union group holdings partners ventures labs laboratory laboratories hospital museum society club party police army navy church court parliament congress senate airlines airways motors industries systems technologies solutions team press times news'.split(
    ' ',
  ),
);
export const PLACE_ENDINGS: ReadonlySet<string> = new Set(
  'street road avenue lane square park lake river mountain mountains hill hills valley bay beach island islands city town village county province state district airport station bridge harbour harbor port sea ocean desert forest blvd boulevard strasse straße platz gasse kai'.split(
    ' ',
  ),
);
/** Legal forms: no part of what an organisation is called. */
export const LEGAL_FORMS: ReadonlySet<string> = new Set(
  'gmbh ag kg se ug inc incorporated ltd limited llc llp plc corp corporation co sa sas sarl bv nv oy ab spa srl pty'.split(
    ' ',
  ),
);
/** What a part of an organisation is called besides its name. */
export const UNIT_WORDS: ReadonlySet<string> = new Set(['team', 'department', 'division']);
/** Words inside a name that are written small. */
export const NAME_PARTICLES: ReadonlySet<string> = new Set(
  'of de la le van von der den du des di da del dos al el bin ibn ter ten zu und and & for the'.split(' '),
);
