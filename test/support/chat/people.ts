/** The demo organisation's users, ready to make calls. */
import type { Answer, Ask, TestClient } from '../http/client';
import type { TestNode } from '../kernel/cluster';

/** Values other than text are sent as JSON, as clients do. */
export const encoded = (fields: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

export interface Caller {
  readonly id: number;
  readonly email: string;
  readonly headers: Record<string, string>;
  get(path: string, query?: Record<string, string>): Promise<Answer>;
  post(path: string, form?: Record<string, string>): Promise<Answer>;
  patch(path: string, form?: Record<string, string>): Promise<Answer>;
  put(path: string, form?: Record<string, string>): Promise<Answer>;
  del(path: string, form?: Record<string, string>): Promise<Answer>;
  ask(path: string, ask: Ask): Promise<Answer>;
}

export async function callerOf(node: TestClient, email: string, given?: Record<string, string>): Promise<Caller> {
  const headers = given ?? (await node.basic(email));
  const ask = (path: string, more: Ask) =>
    node.call(/^\/(?:api|user_uploads|user_avatars|avatar|thumbnail|web)\//.test(path) ? path : `/api/v1${path}`, {
      ...more,
      headers: { ...headers, ...more.headers },
    });
  const withForm =
    (method: string) =>
    (path: string, form: Record<string, string> = {}) =>
      ask(path, { method, form });
  const me = await ask('/users/me', {});
  return {
    id: (me.body as { user_id: number }).user_id,
    email,
    headers,
    ask,
    get: (path, query = {}) => ask(path, { query }),
    post: withForm('POST'),
    patch: withForm('PATCH'),
    put: withForm('PUT'),
    del: withForm('DELETE'),
  };
}

export interface DemoPeople {
  readonly owner: Caller;
  readonly member: Caller;
  readonly other: Caller;
  readonly guest: Caller;
  readonly helper: Caller;
}

export async function demoPeople(node: TestNode): Promise<DemoPeople> {
  const of = (name: string) => callerOf(node, `${name}@example.com`);
  return {
    owner: await of('owner'),
    member: await of('member'),
    other: await of('other'),
    guest: await of('guest'),
    helper: await of('helper-bot'),
  };
}

/** The chat envelope of an error. */
export const refusal = (msg: string, more: object = {}, status = 400) => ({
  status,
  body: { result: 'error', msg, ...more },
});
