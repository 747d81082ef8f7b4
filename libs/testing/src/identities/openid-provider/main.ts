import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import type { ProviderMessage, SignedInPerson } from './openid-provider.ts';

/**
 * An OpenID provider in a process of its own, for one confidential client. It asks nobody for a password: whoever
 * arrives is signed in as the person whom its parent named last.
 */
const [clientId, clientSecret] = process.argv.slice(2) as [string, string];
const people = new Map<string, SignedInPerson>();
let current: SignedInPerson | null = null;

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  const issuer = `http://127.0.0.1:${port}`;
  const provider = providerOf(issuer);
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void callback(request, response);
    const { subject } = current!;
    provider
      .interactionFinished(request, response, { login: { accountId: subject } })
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  process.send!({ issuer } satisfies ProviderMessage);
});

function providerOf(issuer: string): Provider {
  const provider = new Provider(issuer, {
    clients: [
      { client_id: clientId, client_secret: clientSecret, redirect_uris: ['https://cairn.test/console/sign-in'] },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ['only specs sign in here'] },
    findAccount: (_context, subject) => ({ accountId: subject, claims: () => claimsOf(subject) }),
    // Nobody is asked for consent.
    async loadExistingGrant(context) {
      const grant = new provider.Grant({
        accountId: context.oidc.session!.accountId!,
        clientId: context.oidc.client!.clientId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  // The address of an installation is known only after it has started, and that asks who the provider is.
  provider.Client.prototype.redirectUriAllowed = () => true;
  return provider;
}

function claimsOf(subject: string) {
  const { email, emailVerified, name } = people.get(subject)!;
  return { sub: subject, email, email_verified: emailVerified, name };
}

process.on('message', (person: SignedInPerson) => {
  people.set(person.subject, person);
  current = person;
  process.send!({ current: person.subject } satisfies ProviderMessage);
});
process.on('disconnect', () => process.exit(0));
