import { generateRolePasswords, type RolePasswords } from '@cairn/postgres';
import { readJson, writePrivately } from '../data-folder.ts';

/** The passwords of the services' roles, three each and all different; those that are missing are generated. */
export async function databasePasswords<Service extends string>(
  file: string,
  services: readonly Service[],
): Promise<Record<Service, RolePasswords>> {
  const known: Partial<Record<string, RolePasswords>> = (await readJson(file)) ?? {};
  const missing = services.filter((service) => known[service] === undefined);
  if (missing.length === 0) return known as Record<Service, RolePasswords>;
  const generated = Object.fromEntries(missing.map((service) => [service, generateRolePasswords()]));
  const complete = { ...known, ...generated } as Record<Service, RolePasswords>;
  await writePrivately(file, JSON.stringify(complete, null, 2));
  return complete;
}

/** New passwords for all of them, in the file from now on. */
export async function newDatabasePasswords<Service extends string>(
  file: string,
  services: readonly Service[],
): Promise<Record<Service, RolePasswords>> {
  const generated = Object.fromEntries(services.map((service) => [service, generateRolePasswords()]));
  await writePrivately(file, JSON.stringify(generated, null, 2));
  return generated as Record<Service, RolePasswords>;
}
