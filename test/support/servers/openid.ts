/** A real OpenID provider, and a browser that goes there and returns. */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { cookieOf } from '../http/pages';
import type { Answer, TestClient } from '../http/client';

export interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  /** Whether the ID token is signed with a key that is not the provider's. */
  readonly isForged?: boolean;
}

export interface TestProvider {
  readonly issuer: string;
  /**
   * Signs in with a new browser, as this account of the provider. The last response is the server's own. The query is
   * added to the address at which it begins.
   */
  signIn(client: TestClient, as: Account, ends?: Ends, query?: string): Promise<Answer>;
  close(): Promise<unknown>;
}

/** What a hostile browser or provider changes on the way back. */
export type Ends = (callback: { readonly url: URL; readonly cookie: string }) => { url: URL; cookie: string };

const CALLBACK = 'https://chat.example.com/';

export async function startProvider(): Promise<TestProvider> {
  const worker = new Worker(join(__dirname, 'openid-provider.mjs'), { stdout: true, stderr: true });
  const [issuer] = (await once(worker, 'message')) as [string];

  /** Follows the provider's redirects with its cookies, up to the one that leads back. */
  async function follow(start: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let url = new URL(start);
    while (!url.href.startsWith(CALLBACK)) {
      const Cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { Cookie } });
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${url.href}: ${response.status} ${await response.text()}`);
      url = new URL(location, url);
    }
    return url;
  }

  return {
    issuer,
    async signIn(client, as, ends = (callback) => ({ ...callback }), query = '') {
      worker.postMessage(as);
      await once(worker, 'message');
      const begun = await client.call(`/web/openid/idp${query}`);
      const location = begun.headers.get('location') ?? '';
      if (!location.startsWith(issuer)) return begun;
      const { url, cookie } = ends({ url: await follow(location), cookie: cookieOf(begun) });
      return client.call(`${url.pathname}${url.search}`, { headers: { Cookie: cookie } });
    },
    close: () => worker.terminate(),
  };
}
