import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const HANDBOOK = join(import.meta.dirname, '..', '..', '..', '..', 'examples', 'handbook');

interface PlantedDisagreement {
  id: string;
  statements: { path: string; quote: string; value: string }[];
}

interface Manifest {
  pages: { path: string; title: string }[];
  disagreements: PlantedDisagreement[];
}

const manifest = JSON.parse(readFileSync(`${HANDBOOK}.json`, 'utf8')) as Manifest;
export const plantedDisagreements: PlantedDisagreement[] = manifest.disagreements;

/** The pages of the example handbook as they are sent at the first start. */
export function handbookPages(): { external_id: string; title: string; content: string }[] {
  return manifest.pages.map(({ path, title }) => ({
    external_id: path,
    title,
    content: readFileSync(join(HANDBOOK, path), 'utf8'),
  }));
}
