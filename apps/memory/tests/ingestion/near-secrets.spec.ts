import { describe, expect, it } from '@jest/globals';
import { prepareDocument } from '../../src/ingestion/preparing/prepare-document.ts';

/** The commonest passwords, which are made of the words for one. */
const SECRETS: readonly (readonly [content: string, gone: string])[] = [
  ['The password is Password123!', 'Password123'],
  ['The wifi password is password1', 'password1'],
  ['The password is Secret2024!', 'Secret2024'],
  ['The password is AdminPassword1!', 'AdminPassword1'],
  ['user,password\nann,Password1\nbob,Passwort123!\n', 'Password1'],
  ['user,password\nann,my_secret_x1\nbob,test-password\n', 'my_secret_x1'],
  ['user,password\nann,my_secret_x1\nbob,test-password\n', 'test-password'],
  ['The password is the-quick-9', 'the-quick-9'],
  ['The password is my_dog_1999', 'my_dog_1999'],
  ['{"passwords":{"ann":"sunflower"}}', 'sunflower'],
  ['pass: sunflower7', 'sunflower7'],
];

/** Names that end in a word for a secret and are about something else. */
const ORDINARY: readonly string[] = [
  'Question,Section\nWhere do I reset my password?,Settings\nCan I share my password?,Never\n',
  'Feature,Plan\nReset password,Premium\nRequire password,Enabled\n',
  'Boarding Pass: BP-2231-AZ',
  'Mountain Pass: Gotthard',
  'Low Pass: Butterworth',
  'Season pass: Adult',
  'Second pass: Failed',
  'Day pass,Week pass\n12 euros,60 euros\n14 euros,70 euros\n',
  '# Reset password\n\nSettings.\n',
  '## Passwords\n\nOverview\n',
  '# Password\n\nRequired.\n',
  '{"login":{"password":"Wachtwoord invoeren"}}',
  '| English | German |\n| --- | --- |\n| Password | Losungswort |\n| House | Haus |\n',
  'Reset password: Settings',
  'Ski pass: Included',
  'First reset your password\nstep_1 is the form below.',
  '<label>getPassword(user2) reads it</label>',
  'The secret of the recipe is vitamin-B12',
  'The token is 24h-valid',
  'The credentials are AES-256-encrypted',
  'The API token is rate-limited-v2',
  'The access key for the menu is Alt+1',
  'the secret was covid-19-related',
  'password = process.env.DB_PASSWORD',
];

async function stored(content: string): Promise<string> {
  const prepared = await prepareDocument({
    content,
    fileName: '',
    mediaType: '',
    title: null,
    metadata: {},
    url: null,
    policy: 'secrets',
    withTerms: true,
  });
  expect(prepared.ok).toBe(true);
  return JSON.stringify(prepared);
}

describe('a document as it is stored', () => {
  it.each(SECRETS)('has no password in it that is made of common words: %j', async (content, gone) => {
    expect((await stored(content)).toLowerCase()).not.toContain(gone.toLowerCase());
  });

  it.each(ORDINARY)('keeps what stands behind a name that is about something else: %j', async (content) => {
    expect(await stored(content)).not.toMatch(/\[\[[A-Z_]+_\d+\]\]/);
  });
});
