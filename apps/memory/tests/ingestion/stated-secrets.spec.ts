import { describe, expect, it } from '@jest/globals';
import { prepareDocument } from '../../src/ingestion/preparing/prepare-document.ts';

/** Documents with a secret that must be gone. */
const SECRETS: readonly (readonly [what: string, content: string, gone: string])[] = [
  [
    'a column with a German name, by tabs',
    'Host\tBenutzer\tKennwort\nsrv1\troot\tMondlicht\nsrv2\tann\tSternenlicht\n',
    'Mondlicht',
  ],
  ['two columns, named key and value', 'Key;Value\nWLAN-Passwort;Sonnenblume88\nSSID;Haus\n', 'Sonnenblume88'],
  [
    'a row of three columns that names a field',
    '| System | Field | Entry |\n| --- | --- | --- |\n| Jira | Password | orchid-42-Lamp |\n',
    'orchid-42-Lamp',
  ],
  ['a nested object', '{"database":{"credentials":{"username":"app","password":"brightmoon"}}}', 'brightmoon'],
  [
    'objects of a label and its content',
    '[{"label":"API key","content":"f8Kq-22Lm-zz01"},{"label":"Region","content":"eu"}]',
    'f8Kq-22Lm-zz01',
  ],
  ['an attribute', '<?xml version="1.0"?>\n<users><user name="ann" passwd="violet9"/></users>', 'violet9'],
  [
    'an element under a key',
    '<?xml version="1.0"?>\n<map><entry key="smtp.password">Blue.Heron</entry></map>',
    'Blue.Heron',
  ],
  [
    'a term and its definition',
    '<html><body><dl><dt>Passphrase</dt><dd>correct horse battery staple</dd></dl></body></html>',
    'horse',
  ],
  [
    'a field of a form',
    '<html><body><form><p>Sign in</p><label>PIN</label><input type="password" name="pin" value="7391"></form></body></html>',
    '7391',
  ],
  ['a quoted variable with a blank', "SMTP_USER=bot\nSMTP_PASS='lilac river'\n", 'lilac river'],
  ['a short name in YAML', 'smtp:\n  user: bot\n  pass: lilac-77\n', 'lilac-77'],
  ['a plain word in a settings file', '[db]\nhost=x\npwd=plainword\n', 'plainword'],
  [
    'an apposition',
    'You can reach the staging box as deploy with the passphrase Kite!Runner9 until Friday.',
    'Kite!Runner9',
  ],
  ['what something was changed to', "Anna changed the router's password to Zebra_2291 yesterday.", 'Zebra_2291'],
  ['a French label', 'Mot de passe du wifi : Tulipe!1987', 'Tulipe'],
  ['what to enter as a PIN', 'For the safe, enter 4417 as the PIN.', '4417'],
  ['a value that comes first', 'xk7-Quartz-19 is still the root password.', 'Quartz'],
  ['a user and a password behind a slash', 'Sign in with svc_backup / Gr4nite$now to restore.', 'Gr4nite'],
  [
    'a quoted word in a mail',
    'From: tom@x.example\nTo: ann@x.example\nSubject: Access\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n\nHi Ann,\n\nyour temporary password is "winterberry".\n\nBest, Tom\n',
    'winterberry',
  ],
  [
    'the text below a heading',
    '# Guests\n\n## Wi-Fi password\n\nmeadow-lark-5\n\n## Coffee\n\nIs in the kitchen.\n',
    'meadow-lark',
  ],

  ['said of its name', 'The password for the admin account is hunter2.', 'hunter2'],
  ['said to be used as one', 'Use hunter2 as the password.', 'hunter2'],
  ['in brackets', 'Log in as root (pw hunter2) on db1.', 'hunter2'],
  ['said with its user', 'The login is admin / hunter2.', 'hunter2'],
  ['written with its user', 'login admin / hunter2', 'hunter2'],
  ['behind a label', 'password: hunter2', 'hunter2'],
  ['a quoted word', 'The admin password is "sunshine".', 'sunshine'],
  ['right behind its name', 'Please note the Wi-Fi password Blau7Himmel for guests.', 'Blau7'],
  ['a PIN', 'The PIN for the door is 4711.', '4711'],
  ['what one was changed to', 'We reset the password of the root user on db-3 to Sommer2024!', 'Sommer2024'],
  ['in German', 'Das Passwort für das Konto lautet Blume77.', 'Blume77'],
  ['the key of something', 'The API key for staging is f8Kq22Lmzz01ab.', 'f8Kq22'],
  ['said again without its name', 'password: hunter2xyz\n\nThen type hunter2xyz at the prompt.', 'hunter2xyz'],
];

/** Documents that speak of secrets and hold none. */
const ORDINARY: readonly string[] = [
  'The password must contain at least 12 characters and 2 digits.',
  'Passwords are hashed with bcrypt and a cost of 12.',
  '| Feature | Password |\n| --- | --- |\n| Required | yes |\n| Stored | no |\n',
  'word,token,pos\ndogs,2,NOUN\nrun,3,VERB\nfast,4,ADV\n',
  'The token expires after 15 minutes.',
  'Password reset is handled by ticket HELP-4821.',
  'The secret ingredient is cardamom.',
  'PIN 4 of the connector carries 3.3V.',
  '{"password":{"type":"string","minLength":8}}',
  'The key to the cabin is under the mat.',
  'Use a passphrase as the second factor.',
  'password_policy: strict\npassword_min_length: 12\n',
  'Her password manager is Bitwarden 2024.1.',
  '<html><body><dl><dt>Token</dt><dd>A unit of text</dd></dl></body></html>',
  'API key rotation happens every Q3 2025.',
  'The credentials were revoked on 2024-05-01.',
  'Sign in with Google / GitHub.',
  'Topic,Owner\nPassword reset,Facilities\nBackups,IT\n',
  'The access token is a JWT signed with RS256.',
  'Our login page is at /auth/v2 and supports OAuth2.',

  'The password is required.',
  'See the password policy.',
  'The token is valid for 24 hours.',
  'The secret of success is patience.',
  'PIN code 4-digit',
  'The password is case-sensitive.',
  'The password is stored in the vault.',
  'The password is changed every 90 days.',
  'The password is SHA-256 hashed.',
  'password: string;',
  'Enter your password: it must be long.',
  '{"input_tokens": 12345, "output_tokens": 456}',
  'name,tokens\na,12345\nb,4567\nc,999\n',
  'The password for db01 is stored in vault01.',
  'Passwords: 12 characters',
  '{"name":"password","type":"string","required":true}',
  'Topic,Owner,Since\nPassword,Facilities,2024-01-02\nBackups,IT,2023-05-06\n',
  'The token is OAuth2.',
  'Token: a piece of text',
  'The password field takes 8-64 characters.',
  'password (min. 8 characters)',
];

const MASK = /\[\[[A-Z_]+_\d+\]\]/;

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
  it.each(SECRETS)('has no secret in it that was %s', async (_what, content, gone) => {
    expect((await stored(content)).toLowerCase()).not.toContain(gone.toLowerCase());
  });

  it.each(ORDINARY)('keeps what only speaks of secrets: %j', async (content) => {
    expect(await stored(content)).not.toMatch(MASK);
  });
});
