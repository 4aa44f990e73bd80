/** A page in a browser, as the server sees it: the cookie and the token of its session, sent to any node. */
import type { Answer, Ask, TestClient } from './client';

export interface TestPage {
  readonly cookie: string;
  readonly token: string;
  call(client: TestClient, path: string, ask?: Ask): Promise<Answer>;
}

export const cookieOf = ({ headers }: Answer): string => (headers.get('set-cookie') ?? '').split(';')[0]!;

export function pageOf(answer: Answer): TestPage {
  const [cookie, { token }] = [cookieOf(answer), answer.body as { token: string }];
  return {
    cookie,
    token,
    call: (client, path, ask = {}) =>
      client.call(path, { ...ask, headers: { Cookie: cookie, 'X-Partyline-Token': token, ...ask.headers } }),
  };
}

export const signIn = (client: TestClient, email: string, password = 'demo', more: Ask = {}): Promise<Answer> =>
  client.call('/web/session', { json: { email, password }, ...more });

export const signedIn = async (client: TestClient, email: string, password?: string): Promise<TestPage> =>
  pageOf(await signIn(client, email, password));
