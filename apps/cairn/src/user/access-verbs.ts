import { show, showRows } from './show.ts';
import { firstRows, given, LIMIT, oneOf, textOf, type Verb } from './verb.ts';

const KEY_TYPES = ['live', 'test', 'ephemeral', 'memory'] as const;

/** What is done about who may call what, and how much of it. */
export const ACCESS_VERBS: readonly Verb[] = [
  {
    name: 'login',
    about: 'keep a key as a context: one that the console makes for this machine, or one from standard input',
    args: '[name]',
    options: [
      ['--base-url <url>', 'of the installation. Default: CAIRN_BASE_URL'],
      ['--from <source>', 'console, code (of a console on another machine) or typed'],
    ],
    run: async (session, [name], options) =>
      (await import('./login.ts')).login(session, name, {
        baseUrl: textOf(options, 'baseUrl'),
        source: oneOf(['console', 'code', 'typed'], textOf(options, 'from'), '--from'),
      }),
  },
  {
    name: 'context list',
    about: 'list what was logged in to',
    run: async (session) => (await import('./context-verbs.ts')).listContexts(session),
  },
  {
    name: 'context use',
    about: 'make a context the current one',
    args: '<name>',
    run: async (session, [name]) => (await import('./context-verbs.ts')).useContext(session, name!),
  },
  {
    name: 'context remove',
    about: 'forget a context and its key; the key stays valid until it is revoked',
    args: '<name>',
    run: async (session, [name]) => (await import('./context-verbs.ts')).removeContext(session, name!),
  },
  {
    name: 'whoami',
    about: 'show the installation, the key and what it may do',
    async run(session) {
      const { base_url, source } = await session.connection();
      const found = await (await session.client()).account.whoami();
      show(session, found, ({ credential, tenant }) => [
        `${credential.name} (${credential.prefix ?? credential.id}, ${credential.kind}) of ${tenant.name} (${tenant.tenant_id}, plan ${tenant.plan})`,
        `  at      ${base_url}, by ${source}`,
        `  scopes  ${credential.scopes.join(' ')}`,
      ]);
    },
  },
  {
    name: 'console',
    about: 'print a link that signs a browser in to the console once, within ten minutes',
    async run(session) {
      const ticket = await (await session.client()).sessions.createTicket();
      show(session, ticket, ({ url }) => [url]);
    },
  },
  {
    name: 'keys list',
    about: 'list the keys',
    options: [LIMIT],
    async run(session, _args, options) {
      const rows = await firstRows(session, (await session.client()).keys.list(), options);
      showRows(session, rows, ['key_id', 'name', 'prefix', 'type', 'last_used_at', 'expires_at', 'revoked_at']);
    },
  },
  {
    name: 'keys create',
    about: 'create a key and print it, this once',
    args: '<name>',
    options: [
      ['--type <type>', KEY_TYPES.join(', ')],
      ['--scope <scope...>', 'what it may do. Default: what your own key may'],
      ['--expires-at <time>', 'as 2026-12-31T00:00:00Z'],
    ],
    async run(session, [name], options) {
      const { memory, space } = session.flags;
      const key = await (
        await session.client()
      ).keys.create(
        given({
          name: name!,
          type: oneOf(KEY_TYPES, textOf(options, 'type'), '--type'),
          // The service says which scopes there are.
          scopes: options['scope'] as never,
          expires_at: textOf(options, 'expiresAt'),
          memory_id: memory,
          space_id: space,
        }),
      );
      show(session, key, ({ key_id, api_key }) => [`${key_id}  ${api_key}`]);
    },
  },
  {
    name: 'keys revoke',
    about: 'revoke a key; cannot be undone',
    args: '<key_id>',
    options: [
      ['--descendants', 'and all that came of it: keys made with it, its replacements, OAuth clients, members'],
    ],
    async run(session, [keyId], options) {
      const descendants = options['descendants'] === true;
      const revoked = await (await session.client()).keys.revoke(keyId!, { descendants });
      show(session, revoked, ({ key_id, revoked_at }) => [`${key_id} is revoked since ${revoked_at}.`]);
    },
  },
  {
    name: 'usage',
    about: 'show what of the plan is used',
    async run(session) {
      const found = await (await session.client()).usage.limits();
      if (session.flags.json === true) return show(session, found, () => []);
      const rows = found.limits.map(({ resource, used, limit, resets_at }) => ({
        resource,
        used,
        limit: limit ?? 'unlimited',
        resets_at,
      }));
      session.say(`Plan ${found.plan}, ${found.rate.requests_per_second} requests a second.`);
      showRows(session, rows, ['resource', 'used', 'limit', 'resets_at']);
    },
  },
];
