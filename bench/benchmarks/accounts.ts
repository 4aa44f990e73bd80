/** Demo accounts of the fresh database, as authorization headers. */
import { developmentKey, startNode } from '../harness/node-process';
import type { Bench } from '../harness/stage';

const MEMBER = 'member@example.com';
const asked = new WeakMap<Bench, Promise<string>>();

/** Only a development node hands out keys, so one is started briefly. */
async function fetchKey(bench: Bench): Promise<string> {
  const node = await startNode(bench, { NODE_ENV: 'development' });
  try {
    return await developmentKey(node, MEMBER);
  } finally {
    await node.end();
  }
}

export async function chatMember(bench: Bench): Promise<string[]> {
  const key = asked.get(bench) ?? fetchKey(bench);
  asked.set(bench, key);
  return [`Authorization: Basic ${Buffer.from(`${MEMBER}:${await key}`).toString('base64')}`];
}

export const companyOwner = (): Promise<string[]> =>
  Promise.resolve(['Authorization: Bearer demo-key-one', 'X-User-Id: primary']);

export const nobody = (): Promise<string[]> => Promise.resolve([]);
