import type { StandInDocument } from './stub-services.ts';

/** The ground truth about a person of the generated corpus. */
export interface Person {
  name: string;
  role: string;
  city: string;
  employer: string;
  formerEmployer: string;
  school: string;
  languages: string[];
  years: number;
  skills: string[];
  /** Another city, skill and language that are mentioned in passing. */
  decoy: { city: string; skill: string; language: string };
}

const FIRST =
  'Anna Boris Carla Dmitri Elena Farid Greta Hugo Ines Jonas Katrin Lukas Mira Nils Olga Pavel Rosa Stefan Tamara Ulrich Vera Walter Yara Zoltan'.split(
    ' ',
  );
const LAST =
  'Albrecht Bergmann Castellano Dubois Eriksen Ferrari Goncalves Hartmann Ivanova Jansen Kowalski Lindqvist Moreau Novak Olsen Petrov Quintero Richter Santoro Tanaka Urbanek Vogel Weiss Zimmermann'.split(
    ' ',
  );
const ROLES = [
  'backend engineer',
  'data scientist',
  'product manager',
  'UX designer',
  'site reliability engineer',
  'financial analyst',
];
const CITIES = ['Berlin', 'Munich', 'Zurich', 'Paris', 'Lisbon', 'Rotterdam', 'Vienna'];
const EMPLOYERS = ['Siemens', 'Novartis', 'Spotify', 'Bosch', 'Nordwind Logistics', 'Hallmark Systems', 'Azurea'];
const SCHOOLS = ['TU Munich', 'ETH Zurich', 'University of Oslo', 'Sorbonne University', 'Politecnico di Milano'];
const LANGUAGES = ['German', 'French', 'Spanish', 'Polish', 'Portuguese', 'Italian'];
const SKILLS = ['Kubernetes', 'PostgreSQL', 'Rust', 'Figma', 'PyTorch', 'Terraform', 'Excel'];

/** A pseudo-random sequence, reproducible by its seed. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
}

/** 200 texts about 170 people: biographies in five styles, table rows, a team page, duplicates, namesakes. */
export function generateBiographies(seed: number): { documents: StandInDocument[]; people: Person[] } {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const other = <T>(list: readonly T[], ...not: readonly T[]): T => pick(list.filter((item) => !not.includes(item)));
  const people: Person[] = [];
  const names = new Set<string>();
  const person = (name?: string, unlike?: Person): Person => {
    let chosen = name;
    while (chosen === undefined || (name === undefined && names.has(chosen))) chosen = `${pick(FIRST)} ${pick(LAST)}`;
    names.add(chosen);
    const city = unlike === undefined ? pick(CITIES) : other(CITIES, unlike.city);
    const employer = unlike === undefined ? pick(EMPLOYERS) : other(EMPLOYERS, unlike.employer);
    const languages = [...new Set([pick(LANGUAGES), pick(LANGUAGES)])];
    const skills = [...new Set([pick(SKILLS), pick(SKILLS)])];
    return {
      name: chosen,
      role: pick(ROLES),
      city,
      employer,
      formerEmployer: other(EMPLOYERS, employer),
      school: pick(SCHOOLS),
      languages,
      years: 2 + Math.floor(next() * 18),
      skills,
      decoy: { city: other(CITIES, city), skill: other(SKILLS, ...skills), language: other(LANGUAGES, ...languages) },
    };
  };
  for (let count = 0; count < 160; count += 1) people.push(person());
  for (const namesake of people.slice(0, 10)) people.push(person(namesake.name, namesake));
  const documents = people.map((subject, index): StandInDocument => {
    const text = BIOGRAPHIES[index % BIOGRAPHIES.length]!(subject);
    return { docId: `doc_bio${index}`, title: index % 2 === 0 ? subject.name : `${subject.name} — profile`, text };
  });
  // The same people as rows of a table and lines of a team page.
  const rows = people.slice(20, 40);
  documents.push({
    docId: 'doc_table',
    title: 'Directory export',
    text: `name,job title,city,employer,languages,years\n${rows.map((p) => `${p.name},${p.role},${p.city},${p.employer},${p.languages.join('/')},${p.years}`).join('\n')}`,
  });
  people.slice(40, 69).forEach((subject, index) =>
    documents.push({
      docId: `doc_again${index}`,
      title: `Who is who: ${subject.name}`,
      text: `# ${subject.name}\n\n${subject.name} is a ${subject.role} at ${subject.employer}, based in ${subject.city}.`,
    }),
  );
  return { documents, people };
}

const and = (list: readonly string[]) => list.join(' and ');
const BIOGRAPHIES: readonly ((p: Person) => string)[] = [
  (p) =>
    `${p.name} is a ${p.role} at ${p.employer}, based in ${p.city}. Before joining ${p.employer}, ${p.name.split(' ')[0]} worked at ${p.formerEmployer}. ${p.name.split(' ')[0]} studied at ${p.school} and has ${p.years} years of experience. Works daily with ${and(p.skills)}, and speaks ${and(p.languages)}. Born in ${p.decoy.city}.`,
  (p) =>
    `${p.name} works as a ${p.role} for ${p.employer} and lives in ${p.city}.\n\nGrew up in ${p.decoy.city}. Previously worked for ${p.formerEmployer}. Graduated from ${p.school}.\n\n- Languages: ${p.languages.join(', ')}\n- Skills: ${p.skills.join(', ')}\n- Experience: ${p.years} years\n\n${p.name.split(' ')[0]} would like to learn ${p.decoy.skill}.`,
  (p) =>
    `With ${p.years} years of experience, ${p.name} has seen a lot. ${p.name.split(' ')[0]} joined ${p.employer} as a ${p.role} and moved to ${p.city} for it. ${p.name.split(' ')[0]} left ${p.formerEmployer} in 2019. The degree is from ${p.school}. Fluent in ${and(p.languages)}, but does not speak ${p.decoy.language}. Strong in ${and(p.skills)}; has no experience with ${p.decoy.skill}.`,
  (p) =>
    `## ${p.name}\n\n${p.name}, ${p.role} at ${p.employer}, works from ${p.city}. The team in ${p.decoy.city} is visited twice a year. Former ${p.formerEmployer} employee: worked at ${p.formerEmployer} until 2020. Holds a degree from ${p.school}. Speaks ${and(p.languages)}. ${p.name.split(' ')[0]} brings ${p.years} years of experience in ${and(p.skills)}.`,
  (p) =>
    `Name: ${p.name}; Role: ${p.role}; Location: ${p.city}; Employer: ${p.employer}; Previous employer: ${p.formerEmployer}; Education: ${p.school}; Languages: ${p.languages.join(', ')}; Experience: ${p.years} years; Skills: ${p.skills.join(', ')}`,
];

/** The query, and who matches it. */
export const CRITERIA: readonly (readonly [name: string, prompt: string, is: (person: Person) => boolean])[] = [
  ['role', 'Find data scientists', ({ role }) => role === 'data scientist'],
  ['location', 'Find people living in Munich', ({ city }) => city === 'Munich'],
  ['employer', 'Find people who work at Spotify', ({ employer }) => employer === 'Spotify'],
  // Every text names the former employer, and current employees count as having worked there.
  ['former employer', 'Find people who worked at Bosch', (p) => p.employer === 'Bosch' || p.formerEmployer === 'Bosch'],
  ['education', 'Find people who studied at ETH Zurich', ({ school }) => school === 'ETH Zurich'],
  ['language', 'Find people who speak Polish', ({ languages }) => languages.includes('Polish')],
  ['experience', 'Find people with at least 12 years of experience', ({ years }) => years >= 12],
  ['skill', 'Find people who know Kubernetes', ({ skills }) => skills.includes('Kubernetes')],
];
