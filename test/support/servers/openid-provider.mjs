/**
 * A real OpenID provider, in a thread of the test's process: jest does not load its modules. It signs in, without asking,
 * whoever the test names last; a message is an account. With `isForged` its ID tokens are signed with a key that is not
 * the provider's.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';
// @ts-expect-error -- it has no types
import Provider from 'oidc-provider';

const parent = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
/** @type {{ sub: string, isForged?: boolean }} */
let account = { sub: '' };
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'partyline',
      client_secret: 'a secret of the client',
      redirect_uris: ['https://chat.example.com/web/openid/idp/callback'],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  pkce: { required: () => true },
  findAccount: () => ({ accountId: account.sub, claims: () => account }),
  async loadExistingGrant(/** @type {any} */ ctx) {
    const grant = new provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
  features: { devInteractions: { enabled: false } },
  interactions: { url: () => '/sign-in' },
  ttl: { Session: 60, Grant: 60, AccessToken: 60, IdToken: 60, Interaction: 60 },
});

/** @param {string} token */
function forged(token) {
  const content = token.split('.').slice(0, 2).join('.');
  return `${content}.${sign('sha256', Buffer.from(content), stranger).toString('base64url')}`;
}

/** Replaces the signature in the response of the token endpoint by one of the same length. */
function forge(/** @type {import('node:http').ServerResponse} */ response) {
  const end = response.end.bind(response);
  response.end = (/** @type {any} */ body) => {
    const answer = JSON.parse(String(body));
    return end(JSON.stringify({ ...answer, id_token: forged(answer.id_token) }));
  };
}

server.on('request', (request, response) => {
  if (account.isForged && request.url === '/token') forge(response);
  if (!request.url?.startsWith('/sign-in')) return void provider.callback()(request, response);
  return void provider.interactionFinished(request, response, { login: { accountId: account.sub } });
});
parent.on('message', (named) => {
  account = named;
  parent.postMessage('named');
});
parent.postMessage(`http://127.0.0.1:${port}`);
