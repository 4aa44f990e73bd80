import { Fault } from '../../../src/kernel/fault';
import type { Kernel } from '../../../src/kernel/kernel';
import { done, retry } from '../../../src/kernel/mailbox/ending';
import type { Mailbox } from '../../../src/kernel/mailbox/mailbox';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { mailboxWith, request, rowsOf, start, startEcho, type Body } from '../../support/kernel/mailboxes';
import { openTcpProxy } from '../../support/proxies/tcp-proxy';
import { until } from '../../support/until';

let cluster: Cluster;
let one: Kernel;
let two: Kernel;

beforeAll(async () => {
  cluster = await openCluster();
  [one, two] = [await cluster.kernel(), await cluster.kernel()];
});
afterAll(() => cluster.close());

const asked = (mailbox: Mailbox<Body>, word: string, deadlineMs?: number): Promise<unknown> =>
  request(one, mailbox, word, deadlineMs);

test('A requester gets the reply of the worker that handles the request, even after a failed attempt', async () => {
  const mailbox = mailboxWith({ keep: { done: 0 } });
  await start(two, mailbox, (_turn, { attempts, body }) =>
    Promise.resolve(attempts === 0 ? retry('not yet') : done({ answer: { said: body.word } })),
  );
  const words = ['a', 'b', 'c'];
  const answers = await Promise.all(words.map((word) => asked(mailbox, word)));
  expect(answers).toEqual(words.map((said) => ({ said })));
});

const TAKEN = () => new Fault('conflict', 'Taken', { code: 'TAKEN', fields: { by: 'you' } });

test('A fault of the handler is thrown at the requester, and any other failure shows nothing internal', async () => {
  const mailbox = mailboxWith({ attempts: 1 });
  await start(two, mailbox, (_turn, { body }) => Promise.reject(body.word === 'fault' ? TAKEN() : new Error('inside')));
  const { kind, message, code, fields } = TAKEN();
  await expect(asked(mailbox, 'fault')).rejects.toMatchObject({ kind, message, code, fields });
  await expect(asked(mailbox, 'error')).rejects.toMatchObject({ kind: 'internal', message: 'The work failed' });
});

test('A request that no worker handles ends in a timeout at its deadline, and no request stays waiting', async () => {
  await expect(asked(mailboxWith(), 'x', 200)).rejects.toMatchObject({ kind: 'timeout', code: 'NO_ANSWER' });
  expect(one.replies.waiting).toBe(0);
});

test('A reply arrives from its row in MySQL when no message of Redis announces it', async () => {
  const mailbox = mailboxWith();
  await startEcho(two, mailbox);
  const deaf = await cluster.kernel({ JOB_REPLY_POLL_MS: '50' });
  jest.spyOn(deaf.channel, 'listen').mockReturnValue(new Promise(() => {}));
  expect(await request(deaf, mailbox, 'word')).toBe('word');
});

test.each([
  ['reads it', () => Promise.resolve(done({ answer: 'done' }))],
  ['is done', () => Promise.resolve(done({ answer: 'done' }))],
  ['fails for good', () => Promise.reject(TAKEN())],
])(
  'Mail whose worker loses MySQL when it %s keeps its attempts, and is answered when MySQL is back',
  async (when, end) => {
    const url = new URL(cluster.environment['DATABASE_URL']!);
    const proxy = await openTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    const cutOff = await cluster.kernel({ DATABASE_URL: url.href });
    const mailbox = mailboxWith({ attempts: 1, sweepMs: 300 });
    let handled = 0;
    proxy.sever(when === 'reads it');
    await start(cutOff, mailbox, () => {
      handled += 1;
      if (handled === 1 && when !== 'reads it') proxy.sever(true);
      return end();
    });
    const answer = asked(mailbox, 'word', 60_000).catch((error: Fault) => error.code);
    // The worker and its sweeps have tried again.
    await until(() => proxy.refused > 3);
    expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'pending', attempts: 0 }]);
    proxy.sever(false);
    expect(await answer).toBe(when === 'fails for good' ? 'TAKEN' : 'done');
    await cutOff.lifecycle.drain();
    await proxy.close();
  },
);

test('Mail whose end cannot be written because MySQL is away for a moment gets the same end later', async () => {
  const worker = await cluster.kernel();
  const away = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const transaction = jest.spyOn(worker, 'transaction').mockRejectedValueOnce(away);
  const mailbox = mailboxWith({ attempts: 1, sweepMs: 300 });
  await start(worker, mailbox, () => Promise.reject(TAKEN()));
  await expect(asked(mailbox, 'word')).rejects.toMatchObject({ code: 'TAKEN' });
  expect(transaction).toHaveBeenCalledTimes(2);
});
