/** Signs users in with OpenID Connect. The library is loaded at the first sign-in. */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Configuration, DiscoveryRequestOptions, CustomFetch } from 'openid-client';
import { CachedReads } from '../cache/cached-reads';
import { Fault } from '../fault';
import type { OutboundHttp } from '../outbound/outbound-http';

export interface OpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The state of a sign-in while the browser is at the provider. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The provider's facts about a person. */
export interface OpenIdPerson {
  readonly subject: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly name: string;
}

export interface OpenId {
  /** The URL to send the browser to. */
  begin(provider: OpenIdProvider, redirectUri: string): Promise<{ url: string; pending: PendingSignIn }>;
  /** The person, from the URL that the browser came back with. */
  finish(provider: OpenIdProvider, pending: PendingSignIn, answer: URL): Promise<OpenIdPerson>;
}

export interface OpenIdOptions {
  /** The deadline of each request to a provider. */
  readonly callMs: number;
  readonly outbound: OutboundHttp;
}

/** A provider's metadata changes rarely. The library looks for changed keys itself. */
const PROVIDERS = { ttlMs: 600_000, entries: 1000, bytes: 16 * 1024 * 1024, valueBytes: 16 * 1024 };
const SCOPE = 'openid email profile';

const failed = (cause: unknown): Fault =>
  new Fault('upstream', 'Signing in at the other server failed; try again', { code: 'OPENID_FAILED', cause });

const load = () => import('openid-client');

export function openOpenId({ callMs, outbound }: OpenIdOptions): OpenId {
  const configurations = new CachedReads<string, Configuration>(PROVIDERS);

  async function discover({ issuer, clientId, clientSecret }: OpenIdProvider): Promise<Configuration> {
    const client = await load();
    const url = new URL(issuer);
    const options: DiscoveryRequestOptions = {
      timeout: callMs / 1000,
      [client.customFetch]: providerFetch(outbound, callMs),
      execute: [
        // Checks the signature of ID tokens too. The library trusts the connection to the provider otherwise.
        client.enableNonRepudiationChecks,
        // Such issuers are for development servers; the code that stores a provider checks that.
        ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    };
    return client.discovery(url, clientId, clientSecret, undefined, options);
  }

  const configurationOf = (provider: OpenIdProvider): Promise<Configuration> =>
    configurations.get(hash('sha256', JSON.stringify(provider)), () => discover(provider));

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw failed(error);
    }
  }

  return {
    begin: (provider, redirectUri) =>
      attempt(async () => {
        const [client, configuration] = [await load(), await configurationOf(provider)];
        const verifier = client.randomPKCECodeVerifier();
        const pending = { state: client.randomState(), nonce: client.randomNonce(), verifier };
        const url = client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: SCOPE,
          state: pending.state,
          nonce: pending.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        return { url: url.href, pending };
      }),

    finish: (provider, { state, nonce, verifier }, answer) =>
      attempt(async () => {
        const [client, configuration] = [await load(), await configurationOf(provider)];
        const tokens = await client.authorizationCodeGrant(configuration, answer, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims()!;
        const isComplete = typeof claims['email'] === 'string';
        return personOf(
          isComplete ? claims : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub),
        );
      }),
  };
}

/** The claims come from the provider and may have any type. */
function personOf(claims: Readonly<Record<string, unknown>>): OpenIdPerson {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    subject: text(claims['sub']),
    email: text(claims['email']),
    isEmailVerified: claims['email_verified'] === true,
    name: text(claims['name']),
  };
}

const MAX_BYTES = 512 * 1024;

/** The signal in the options ends a request early; redirects are refused. */
const providerFetch =
  (outbound: OutboundHttp, callMs: number): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await outbound.send({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      limits: { bodyBytes: MAX_BYTES, redirects: 0, totalMs: callMs, idleMs: callMs },
      ...(typeof body === 'string' || body instanceof URLSearchParams ? { body: body.toString() } : {}),
      ...(signal ? { signal } : {}),
    });
    // No body for statuses that allow none.
    const content = answer.body.length === 0 ? null : new Uint8Array(answer.body);
    return new Response(content, { status: answer.status, headers: unpackedHeaders(answer.headers) });
  };

/** The body is already decompressed. */
function unpackedHeaders({ 'content-type': type }: IncomingHttpHeaders): HeadersInit {
  return type === undefined ? {} : { 'content-type': type };
}
