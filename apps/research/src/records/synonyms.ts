import { stemsOf } from '../text/words.ts';

/** Labels that mean the same on pages, one property a line. */
const GROUPS = `
born; birth; date of birth; birth date; birthdate; dob; year of birth; birth year; birthday
died; death; date of death; death date; year of death
birthplace; place of birth; birth place
nationality; country; citizenship; nation; country of origin; origin; address country
occupation; profession; job; job title; role; position; function; career; work; title; known for
price; cost; fee; rate; amount; retail price; list price; price range
author; writer; by; written by; creator; byline
published; publication date; date published; release date; released; launch date; year of publication; publication year; release year; issued; year
publisher; publishing house; press; label
location; place; city; town; venue; based in; base; headquarters; address locality; seat; where; address; region
phone; telephone; tel; mobile; phone number; telephone number
email; e-mail; mail; e-mail address
website; homepage; web; site; url; web site
founded; established; founding date; formed; opened; inception; foundation; founding year; year founded; opening; opening year; built; erected; constructed; completed; inaugurated; dates; since; start year
employees; number of employees; staff; headcount; size
industry; sector; branch; field; business
director; directed by; head; manager; led by; ceo; chief executive; leader; chair
rating; stars; score; rating value; aggregate rating; review score
availability; stock; in stock
sku; article number; item number; product code; model; model number; mpn
brand; manufacturer; maker; make; producer
category; type; genre; kind; class; style
language; languages; in language
duration; length; runtime; running time
area; surface; floor area
population; inhabitants; residents
height; elevation; altitude
capacity; seats; seating capacity
department; unit; division
team; club; squad; member of
education; degree; university; alma mater; alumni of
ingredients; recipe ingredient
pages; number of pages; page count; extent
date; day; when; start date
time; start time; hours; opening hours
description; summary; about; overview
instrument; instruments
party; political party
employer; company; organisation; organization; works for; affiliation
spouse; married to; partner
`;

const GROUPS_OF: ReadonlyMap<string, ReadonlySet<number>> = (() => {
  const groups = new Map<string, Set<number>>();
  for (const [index, line] of GROUPS.trim().split('\n').entries())
    for (const label of line.split(';')) {
      const key = labelKey(label);
      groups.set(key, (groups.get(key) ?? new Set()).add(index));
    }
  return groups;
})();

/** The words of a label in any order, without endings. */
export function labelKey(label: string): string {
  return labelStems(label).join(' ');
}

export function labelStems(label: string): string[] {
  const stems = stemsOf(label);
  return [...new Set(stems.length > 0 ? stems : label.toLowerCase().split(/\s+/).filter(Boolean))].sort();
}

/** Whether two labels name the same property. */
export function areSynonyms(one: string, other: string): boolean {
  const groups = GROUPS_OF.get(labelKey(one));
  const others = GROUPS_OF.get(labelKey(other));
  return groups !== undefined && others !== undefined && [...groups].some((group) => others.has(group));
}
