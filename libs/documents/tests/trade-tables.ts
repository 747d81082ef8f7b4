import type { RawTable } from '../src/index.ts';

/** Tables of several trades, written before the rules saw them, with questions as people put them. */
function tableOf(title: string, text: string): RawTable {
  const [columns = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return { title, columns, rows };
}

const rooms = tableOf(
  'rooms.xlsx',
  `
Room | Floor | Type | Beds | Price per night [EUR] | Balcony | Renovated | View
101 | 1 | single | 1 | 79 | no | 2016 | garden
102 | 1 | double | 2 | 110 | yes | 2019 | garden
103 | 1 | double | 2 | 105 | no | 2016 | street
201 | 2 | suite | 4 | 245 | yes | 2021 | sea
202 | 2 | double | 2 | 139 | yes | 2021 | sea
203 | 2 | single | 1 | 85 | no | 2018 | street
301 | 3 | suite | 3 | 260 | yes | 2022 | sea
302 | 3 | double | 2 | 149 | yes | 2022 | sea
303 | 3 | single | 1 | 92 | no | 2019 | garden
304 | 3 | family | 5 | 198 | no | 2018 | street
`,
);

const vessels = tableOf(
  'vessels.csv',
  `
Vessel | Flag | Owner | Built | Length (m) | Cargo [t] | Last inspection | Status
Alba Marin | Panama | Nordhav Shipping | 1998 | 142,5 | 8.400 | 14.03.2024 | active
Borealis | Norway | Nordhav Shipping | 2011 | 188,0 | 21.300 | 02.11.2024 | active
Casta Diva | Malta | Port Lines | 2004 | 95,2 | 3.150 | 30.06.2023 | laid up
Dunmore | Ireland | Celtic Freight | 2016 | 120,8 | 6.700 | 19.01.2025 | active
Estrela | Portugal | Port Lines | 1989 | 76,4 | 1.900 | 08.08.2022 | scrapped
Fjordheim | Norway | Celtic Freight | 2019 | 210,3 | 30.250 | 27.02.2025 | active
Galene | Malta | Hellas Bulk | 2007 | 199,9 | 28.800 | 05.12.2024 | active
Halcyon | Panama | Hellas Bulk | 1994 | 133,1 | 7.950 | 11.04.2023 | laid up
`,
);

const loans = tableOf(
  'library_loans.csv',
  `
loan_id | title | author | borrower | branch | borrowed_on | due_on | renewals | fine
L-001 | The Quiet Harbour | Ines Falk | Mara Odum | Central | 2025-01-14 | 2025-02-11 | 0 | $0.00
L-002 | Salt and Iron | Tom Breck | Jules Aten | Riverside | 2025-01-20 | 2025-02-17 | 2 | $1.50
L-003 | A Year of Frost | Ines Falk | Mara Odum | Central | 2025-02-03 | 2025-03-03 | 1 | $0.00
L-004 | Lanterns | Ruth Okell | Piet Sand | Hilltop | 2025-02-09 | 2025-03-09 | 0 | $4.25
L-005 | Salt and Iron | Tom Breck | Nia Corr | Central | 2025-02-22 | 2025-03-22 | 3 | $0.75
L-006 | The Glass Orchard | Ruth Okell | Jules Aten | Riverside | 2025-03-01 | 2025-03-29 | 0 | $0.00
L-007 | Lanterns | Ruth Okell | Mara Odum | Hilltop | 2025-03-15 | 2025-04-12 | 1 | $2.00
L-008 | The Quiet Harbour | Ines Falk | Nia Corr | Central | 2025-04-02 | 2025-04-30 | 0 | $0.00
L-009 | A Year of Frost | Ines Falk | Piet Sand | Riverside | 2025-04-18 | 2025-05-16 | 2 | $3.10
`,
);

const vehicles = tableOf(
  'vehicles.csv',
  `
plate | model | driver | depot | mileage_km | next_service | fuel | monthly_cost_eur
AB-100 | Transit | Lena Roth | Graz | 84200 | 2026-01-10 | diesel | 420
AB-101 | Kangoo | Omar Said | Linz | 23100 | 2026-03-02 | electric | 310
AB-102 | Transit | Pia Voss | Graz | 120900 | 2025-12-15 | diesel | 455.5
AB-103 | Caddy | Lena Roth | Wels | 64000 | 2026-02-20 | petrol | 280
AB-104 | Kangoo | Udo Kern | Linz | 9800 | 2026-05-05 | electric | 305
AB-105 | Sprinter | Pia Voss | Graz | 201300 | 2025-12-01 | diesel | 610
`,
);

const enrolments = tableOf(
  'course_enrolments.xlsx',
  `
Enrolment no | Student | Course | Semester | Credits | Grade | Passed | Tutor
5001 | Ana Luz | Statistics | 2025S | 6 | 1.7 | yes | Brandt
5002 | Ben Ode | Statistics | 2025S | 6 | 4.3 | no | Brandt
5003 | Cleo Faye | Ethics | 2025W | 3 | 2.0 | yes | Okafor
5004 | Ana Luz | Ethics | 2025W | 3 | 1.3 | yes | Okafor
5005 | Dev Rao | Databases | 2025W | 5 | 2.7 | yes | Brandt
5006 | Ben Ode | Databases | 2025W | 5 | 3.3 | yes | Lind
`,
);

interface Case {
  table: RawTable;
  question: string;
  /** What the answer begins with; null where the table cannot tell. */
  answer: string | null;
}

const cases = (table: RawTable, list: readonly (readonly [question: string, answer: string | null])[]): Case[] =>
  list.map(([question, answer]) => ({ table, question, answer }));

export const CASES: readonly Case[] = [
  ...cases(rooms, [
    ['How many rooms have a balcony?', '5.'],
    ['Which rooms have a sea view?', '201, 202, 301, 302.'],
    ['What is the average price per night of a double room?', '125.75 EUR.'],
    ['Which room is the most expensive?', '301'],
    ['What does room 203 cost per night?', '85 EUR'],
    ['How many beds are there on floor 3 in total?', '11.'],
    ['How many rooms are there per type?', 'double: 4; family: 1; single: 3; suite: 2.'],
    ['Which rooms cost less than 100 EUR?', '101, 203, 303.'],
    ['List the rooms without a balcony.', '101, 103, 203, 303, 304.'],
    ['Which rooms were renovated after 2020?', '201, 202, 301, 302.'],
    ['What type is room 304 and how many beds does it have?', 'family'],
    ['Name the two cheapest rooms.', '101'],
    ['How many rooms have a sauna?', null],
  ]),
  ...cases(vessels, [
    ['Who owns the Borealis?', 'Nordhav Shipping'],
    ['How many vessels sail under the flag of Norway?', '2.'],
    ['Which vessels belong to Port Lines?', 'Casta Diva, Estrela.'],
    ['What is the total cargo of the vessels of Hellas Bulk?', '36,750 t.'],
    ['Which vessel is the longest?', 'Fjordheim'],
    ['Which vessels were built before 2000?', 'Alba Marin, Estrela, Halcyon.'],
    ['How long is the Dunmore?', '120,8 m'],
    ['Which vessels were last inspected in 2024?', 'Alba Marin, Borealis, Galene.'],
    ['How many vessels are laid up?', '2.'],
    [
      'What is the average length per owner?',
      'Celtic Freight: 165.55 m; Hellas Bulk: 166.5 m; Nordhav Shipping: 165.25 m; Port Lines: 85.8 m.',
    ],
    ['Which owner has the most vessels?', 'Celtic Freight: 2; Hellas Bulk: 2; Nordhav Shipping: 2; Port Lines: 2.'],
    ['Which vessels are longer than 180 m?', 'Borealis, Fjordheim, Galene.'],
    ['What is the oldest vessel?', 'Estrela'],
    ['How many captains work on the Borealis?', null],
  ]),
  ...cases(loans, [
    ['Who borrowed Lanterns at Hilltop in March 2025?', 'Mara Odum'],
    ['How many loans did Mara Odum take?', '3.'],
    ['Which titles did Ines Falk write?', 'The Quiet Harbour, A Year of Frost.'],
    ['What is the total of all fines?', '$11.6.'],
    ['How many loans were renewed at least twice?', null],
    ['How many loans had more than 1 renewal?', '3.'],
    ['When is loan L-006 due?', '2025-03-29'],
    ['Which branch had the most loans?', 'Central: 4.'],
    ['How many loans were made in the first quarter of 2025?', null],
    ['What were the fines per branch in total?', 'Central: $0.75; Hilltop: $6.25; Riverside: $4.6.'],
    ['Which three loans had the highest fine, highest first?', 'L-004'],
    ['How many different authors are there?', '3.'],
    ['Which loans were not from Central?', 'L-002, L-004, L-006, L-007, L-009.'],
  ]),
  ...cases(vehicles, [
    ['Who drives AB-104 and from which depot?', 'Udo Kern'],
    ['How many vehicles are stationed in Graz?', '3.'],
    ['What is the total monthly cost of the diesel vehicles?', '1,485.5'],
    ['Which vehicles does Pia Voss drive?', 'AB-102, AB-105'],
    ['Which vehicle has the highest mileage?', 'AB-105'],
    ['Name the two vehicles with the lowest mileage, lowest first.', 'AB-104'],
    ['What is the average mileage of the Kangoos?', '16,450'],
    ['Which vehicles are due for service before 2026?', null],
    ['When is the next service of AB-103?', '2026-02-20'],
    ['How many electric vehicles are there in Linz?', '2.'],
    ['How many kilometres has AB-100 driven?', '84200'],
    ['Which depot has the most vehicles?', 'Graz: 3'],
    ['How many vehicles have more than 60,000 km?', '4.'],
    ['Which vehicle was stolen?', null],
  ]),
  ...cases(enrolments, [
    ['Which grade did Cleo Faye get in Ethics?', '2.0'],
    ['How many enrolments did not pass?', '1.'],
    ['How many credits did Ana Luz earn in total?', '9.'],
    ['Which students took Databases?', 'Dev Rao, Ben Ode'],
    ['What is the average grade in Statistics?', '3.'],
    ['How many students are taught by Brandt?', '3.'],
    ['Which course is enrolment 5005 for, and who is the tutor?', 'Databases'],
    ['How many enrolments were there per course?', 'Databases: 2; Ethics: 2; Statistics: 2.'],
    ['How many courses does Brandt teach?', '2.'],
  ]),
];
