/** The callers of telephony tests: the demo companies' owners, a member, and calls that act as them. */
import { bearer, type Answer, type Ask } from '../../support/http/client';
import type { TestNode } from '../../support/kernel/cluster';

export const INSTANCE_ONE = '00000000-0000-4000-8000-000000000001';
export const INSTANCE_TWO = '00000000-0000-4000-8000-000000000002';

export type Person = (method: string, path: string, json?: unknown, more?: Ask) => Promise<Answer>;

export interface People {
  /** Primary user of Example Telecom. */
  readonly owner: Person;
  readonly member: Person;
  /** Primary user of Other Telecom. */
  readonly stranger: Person;
  readonly ids: { readonly owner: string; readonly member: string; readonly stranger: string };
}

export const actAs =
  (node: Pick<TestNode, 'call'>, key: string, user = 'primary'): Person =>
  (method, path, json, more = {}) =>
    node.call(path, {
      method,
      ...(json === undefined ? {} : { json }),
      ...more,
      headers: { ...bearer(key, user), ...more.headers },
    });

export async function openPeople(node: TestNode): Promise<People> {
  const idOf = async (email: string): Promise<string> =>
    ((await node.kernel.mysql('tel_contacts').where({ work_email: email }).first('id')) as { id: string }).id;
  const ids = {
    owner: await idOf('owner@example.com'),
    member: await idOf('member@example.com'),
    stranger: await idOf('owner@other.example'),
  };
  return {
    owner: actAs(node, 'demo-key-one'),
    member: actAs(node, 'demo-key-one', ids.member),
    stranger: actAs(node, 'demo-key-two'),
    ids,
  };
}

export const problem = (status: number) => ({
  status,
  body: { type: 'about:blank', status, title: expect.any(String), detail: expect.any(String) },
});
