import { tenantOf } from '../../../src/kernel/actor/address';
import { Fault } from '../../../src/kernel/fault';
import type { Kernel } from '../../../src/kernel/kernel';
import { done, retry } from '../../../src/kernel/mailbox/ending';
import type { Mailbox } from '../../../src/kernel/mailbox/mailbox';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { mailboxWith, start, type Body } from '../../support/kernel/mailboxes';

let cluster: Cluster;
let one: Kernel;
let two: Kernel;

beforeAll(async () => {
  cluster = await openCluster();
  [one, two] = [await cluster.kernel(), await cluster.kernel()];
});
afterAll(() => cluster.close());

const TENANT = tenantOf('probe', 'one');
const asked = (mailbox: Mailbox<Body>, word: string, deadlineMs?: number): Promise<unknown> =>
  mailbox.at(TENANT).request(one, { word }, deadlineMs);

test('A requester gets the reply of the worker that handles the request, even after a failed attempt', async () => {
  const mailbox = mailboxWith({ keep: { done: 0 } });
  await start(two, mailbox, (_turn, { attempts, body }) =>
    Promise.resolve(attempts === 0 ? retry('not yet') : done({ answer: { said: body.word } })),
  );
  const words = ['a', 'b', 'c'];
  const answers = await Promise.all(words.map((word) => asked(mailbox, word)));
  expect(answers).toEqual(words.map((said) => ({ said })));
});

test('A fault of the handler is thrown at the requester, and any other failure shows nothing internal', async () => {
  const mailbox = mailboxWith({ attempts: 1 });
  await start(two, mailbox, (_turn, { body }) =>
    Promise.reject(body.word === 'fault' ? new Fault('conflict', 'Taken', { code: 'TAKEN' }) : new Error('inside')),
  );
  await expect(asked(mailbox, 'fault')).rejects.toMatchObject({ kind: 'conflict', message: 'Taken', code: 'TAKEN' });
  await expect(asked(mailbox, 'error')).rejects.toMatchObject({ kind: 'internal', message: 'The work failed' });
});

test('A request that no worker handles ends in a timeout at its deadline, and no request stays waiting', async () => {
  await expect(asked(mailboxWith(), 'x', 200)).rejects.toMatchObject({ kind: 'timeout', code: 'NO_ANSWER' });
  expect(one.replies.waiting).toBe(0);
});
