/** An OpenID provider that vouches for look-alikes of an address, and ID tokens with a foreign signature. */
import { once } from 'node:events';
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { cookieOf } from '../../support/http/pages';
import type { Abuse, AbuseCounts, Target } from '../abuse';

const KID = 'one';
const CLIENT = 'partyline';
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });

let provider: Server;
const issuerOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function idToken(claims: object, key: KeyObject): string {
  const content = `${base64({ alg: 'RS256', kid: KID })}.${base64(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}

interface Forgery {
  readonly nonce: string;
  readonly email: string;
  readonly isForeign: boolean;
}

const FORGERIES: readonly Omit<Forgery, 'nonce'>[] = [
  { email: 'owner@example.com', isForeign: true },
  { email: 'ⓞwner@example.com', isForeign: false },
  { email: 'own\u200ber@example.com', isForeign: false },
];

/** The code is the content of the token: the provider asks no one to sign in. */
async function answerOf(request: IncomingMessage, issuer: string): Promise<object> {
  if (request.url === '/jwks') {
    return { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: KID, alg: 'RS256', use: 'sig' }] };
  }
  if (request.url !== '/token') {
    const at = (path: string) => `${issuer}/${path}`;
    return { issuer, authorization_endpoint: at('auth'), token_endpoint: at('token'), jwks_uri: at('jwks') };
  }
  const code = new URLSearchParams(await text(request)).get('code')!;
  const { nonce, email, isForeign } = JSON.parse(code) as Forgery;
  const iat = Math.floor(Date.now() / 1000);
  const who = { iss: issuer, aud: CLIENT, sub: email, email, email_verified: true };
  const token = idToken({ ...who, nonce, iat, exp: iat + 60 }, (isForeign ? foreign : own).privateKey);
  return { access_token: 'none', token_type: 'Bearer', id_token: token };
}

/** The address to which the server finally sends the browser. */
async function attempt(target: Target, forgery: Omit<Forgery, 'nonce'>): Promise<string> {
  const begun = await target.call('/web/openid/forger');
  const asked = new URL(begun.headers.get('location') ?? '', target.url).searchParams;
  const code = JSON.stringify({ ...forgery, nonce: asked.get('nonce') });
  const query = new URLSearchParams({ code, state: asked.get('state') ?? '' });
  const answer = await target.call(`/web/openid/forger/callback?${query}`, { headers: { Cookie: cookieOf(begun) } });
  return answer.headers.get('location') ?? String(answer.status);
}

export const forgedIdTokens: Abuse = {
  name: 'forged-id-tokens',
  summary: 'ID tokens for the owner that another key has signed, and verified look-alikes of the owner’s address.',
  environment: { LOGIN_LIMIT: 'off', OUTBOUND_NETWORKS: '127.0.0.0/8' },
  async prepare(target) {
    provider = createServer((request, response) => {
      void answerOf(request, issuerOf(provider)).then((answer) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
    provider.listen(0, '127.0.0.1');
    await once(provider, 'listening');
    const json = {
      display_name: 'Forger',
      client_id: CLIENT,
      client_secret: 'a secret of the client',
      issuer: issuerOf(provider),
      domains: ['example.com'],
      creates_accounts: true,
    };
    const headers = await target.basic('owner@example.com');
    const set = await target.call('/web/openid-providers/forger', { method: 'PUT', json, headers });
    if (set.status !== 200) throw new Error(set.text);
  },
  async run(target, signal) {
    const counts: AbuseCounts = {};
    try {
      for (let at = 0; !signal.aborted; at += 1) {
        const outcome = await attempt(target, FORGERIES[at % FORGERIES.length]!);
        if (!/OPENID_FAILED|NO_ACCOUNT/.test(outcome)) throw new Error(`a forger was sent to ${outcome}`);
        const [, code = ''] = outcome.split('=');
        counts[code] = (counts[code] ?? 0) + 1;
      }
      return counts;
    } finally {
      provider.close();
      provider.closeAllConnections();
    }
  },
};
