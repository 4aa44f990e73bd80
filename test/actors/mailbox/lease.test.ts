import { setTimeout as wait } from 'node:timers/promises';
import { Busy } from '../../../src/kernel/jobs/busy';
import type { Kernel } from '../../../src/kernel/kernel';
import { done, retry, WHEN_ENDED, type Ending } from '../../../src/kernel/mailbox/ending';
import { Superseded, WHILE_HELD } from '../../../src/kernel/mailbox/lease';
import type { Mail, Mailbox } from '../../../src/kernel/mailbox/mailbox';
import { takeTurn } from '../../../src/kernel/mailbox/turn';
import type { MailTurn } from '../../../src/kernel/mailbox/work';
import { chanceOf } from '../../support/chance';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { mailboxWith, rowsOf, sendBy, TENANT, turnAt, type Body } from '../../support/kernel/mailboxes';
import { until } from '../../support/until';

let cluster: Cluster;
let one: Kernel;
let two: Kernel;
let send: ReturnType<typeof sendBy>;

beforeAll(async () => {
  cluster = await openCluster({ LEASE_MS: '100' });
  one = await cluster.kernel({ NODE_NAME: 'one' });
  two = await cluster.kernel({ NODE_NAME: 'two' });
  send = sendBy(one);
});
afterAll(() => cluster.close());

const steal = (mailbox: Mailbox<Body>) =>
  one
    .mysql('kernel_mailbox_leases')
    .where({ address: `${mailbox.name}/x` })
    .update({ holder: 'another' });

test('A worker that lost its lease writes and counts nothing, and another worker handles the mail', async () => {
  const mailbox = mailboxWith();
  await send(mailbox, 'one');
  const writes: string[] = [];
  const ending = (who: string) => done({ write: () => Promise.resolve(writes.push(who)) });
  await expect(turnAt(one, mailbox, async () => (await steal(mailbox), ending('late')))).rejects.toBeInstanceOf(
    Superseded,
  );
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'pending', attempts: 0, reason: null }]);
  await one.mysql('kernel_mailbox_leases').where({ holder: 'another' }).delete();
  await turnAt(two, mailbox, () => Promise.resolve(ending('next')));
  expect(writes).toEqual(['next']);
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'done', attempts: 1 }]);
});

test('A worker that lost its lease cannot end mail, even mail without effects', async () => {
  const mailbox = mailboxWith();
  await send(mailbox, 'one');
  await expect(turnAt(one, mailbox, async () => (await steal(mailbox), done()))).rejects.toBeInstanceOf(Superseded);
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'pending', attempts: 0, reason: null }]);
});

test('A write in the middle of an attempt is refused once another worker has taken over', async () => {
  const mailbox = mailboxWith();
  await send(mailbox, 'one');
  const written: string[] = [];
  const note = (word: string) => () => Promise.resolve(written.push(word));
  const change = (tenant: string) =>
    one.mysql('kernel_mail').where({ mailbox: mailbox.name }).whereRaw(WHILE_HELD).update({ tenant }).toSQL();
  const turn = turnAt(one, mailbox, async (held) => {
    await held.commit(note('in time'));
    await held.packet([change('a packet in time')]);
    await steal(mailbox);
    await expect(held.packet([change('a late packet')])).rejects.toBeInstanceOf(Superseded);
    await held.commit(note('late'));
    return done();
  });
  await expect(turn).rejects.toBeInstanceOf(Superseded);
  expect(await rowsOf(one, mailbox)).toMatchObject([{ address: 'x', tenant: 'a packet in time' }]);
  expect(written).toEqual(['in time']);
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'pending', attempts: 0, reason: null }]);
});

test('Statements of an ending take effect with it, and not if the lease is lost or the mail was discarded', async () => {
  const mailbox = mailboxWith();
  const rows = () => one.mysql('kernel_mail').where({ mailbox: mailbox.name });
  const changed: unknown[] = [];
  const ending = (tenant: string) =>
    done({
      statements: [rows().whereRaw(WHEN_ENDED).update({ tenant }).toSQL()],
      after: ([reply]) => changed.push((reply as { affectedRows: number }).affectedRows),
    });
  await send(mailbox, 'one');
  await expect(turnAt(one, mailbox, async () => (await steal(mailbox), ending('late')))).rejects.toBeInstanceOf(
    Superseded,
  );
  await one.mysql('kernel_mailbox_leases').where({ holder: 'another' }).delete();
  await turnAt(one, mailbox, async () => (await rows().update({ state: 'dropped' }), ending('discarded')));
  expect(await rows()).toMatchObject([{ state: 'dropped', tenant: TENANT }]);
  await rows().update({ state: 'pending' });
  await turnAt(one, mailbox, () => Promise.resolve(ending('in time')));
  expect(await rows()).toMatchObject([{ state: 'done', tenant: 'in time' }]);
  expect(changed).toEqual([0, 1]);
});

test('A handler that throws Busy does not use up an attempt', async () => {
  const mailbox = mailboxWith();
  await send(mailbox, 'one');
  const crowded = new Busy('others come first', 20);
  await expect(turnAt(one, mailbox, () => Promise.reject(crowded))).rejects.toBe(crowded);
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'pending', attempts: 0, reason: null }]);
});

test('A worker whose lease expired finishes its work if no other worker took over', async () => {
  const mailbox = mailboxWith();
  await send(mailbox, 'one');
  await turnAt(one, mailbox, async () => {
    await one.mysql('kernel_mailbox_leases').update({ held_until: one.mysql.raw('NOW(3) - INTERVAL 1 HOUR') });
    return done();
  });
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'done' }]);
  expect(await one.mysql('kernel_mailbox_leases').where('address', 'like', `${mailbox.name}/%`)).toEqual([]);
});

test('Work that must not be repeated is not started by another worker while the first runs, even without renewal', async () => {
  const mailbox = mailboxWith({ isRepeatable: false });
  await send(mailbox, 'one');
  let begun = 0;
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const handle = async () => {
    begun += 1;
    await ended;
    return done();
  };
  const first = turnAt(one, mailbox, handle);
  await until(() => begun === 1);
  // Longer than LEASE_MS, and nothing renews it.
  await wait(one.settings.leaseMs * 1.5);
  await expect(turnAt(two, mailbox, handle)).rejects.toBeInstanceOf(Busy);
  end();
  await first;
  expect(begun).toBe(1);
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'done' }]);
});

test('The lease of work that must not be repeated lasts longer than an attempt', async () => {
  const mailbox = mailboxWith({ isRepeatable: false });
  await send(mailbox, 'one');
  let leftMs = 0;
  await turnAt(one, mailbox, async () => {
    const left = one.mysql.raw('TIMESTAMPDIFF(MICROSECOND, NOW(3), held_until) / 1000 AS left_ms');
    const lease = one.mysql('kernel_mailbox_leases').where({ address: `${mailbox.name}/x` });
    ({ left_ms: leftMs } = (await lease.first(left)) as { left_ms: number });
    return done();
  });
  // An attempt is told to end after attemptMs, and may take a moment to do so.
  expect(Number(leftMs)).toBeGreaterThan(mailbox.attemptMs - 1000);
  expect(mailbox.attemptMs).toBeGreaterThan(one.settings.leaseMs + 1000);
});

const SEED = Number(process.env['MAILBOX_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

test(`Even if every lease is lost, the fence refuses all writes of workers that were overtaken (seed ${SEED})`, async () => {
  const mailbox = mailboxWith({ attempts: 1000, pauseMs: () => 0, maxInATurn: 3 });
  const chance = chanceOf(SEED);
  const words = ['one', 'two', 'three', 'four', 'five', 'six'];
  for (const word of words) await send(mailbox, word);
  const [written, counted, late]: string[][] = [[], [], []];
  let depth = 0;

  /** Whether it got a turn while another worker is in the middle of its own. */
  const turn = () => turnAt(depth % 2 === 0 ? one : two, mailbox, handle).then(() => true, isOvertaken);
  const isOvertaken = (error: unknown) => {
    if (!(error instanceof Superseded || error instanceof Busy)) throw error;
    return error instanceof Superseded;
  };
  async function overtake(): Promise<boolean> {
    depth += 1;
    const past = one.mysql.raw('NOW(3) - INTERVAL 1 SECOND');
    await one.mysql('kernel_mailbox_leases').update({ held_until: past });
    const isTaken = await turn();
    depth -= 1;
    return isTaken;
  }
  async function handle(_turn: MailTurn, { body: { word } }: Mail<Body>): Promise<Ending> {
    const isLate = depth < 3 && chance() < 0.5 && (await overtake());
    (isLate ? late : counted)!.push(word);
    // Mail that is retried stays pending, so its row alone would not refuse a late worker's write.
    if (chance() < 0.6) return retry('away');
    return done({ write: () => Promise.resolve(written!.push(isLate ? `${word} late` : word)) });
  }

  while ((await rowsOf(one, mailbox)).some(({ state }) => state === 'pending')) await turn();
  expect(written).toEqual(words);
  expect(late!.length).toBeGreaterThan(0);
  const attempts = words.map((word) => counted!.filter((each) => each === word).length);
  expect((await rowsOf(one, mailbox)).map((row) => row.attempts)).toEqual(attempts);
});

test('A mail that kills one worker after the other becomes a dead letter', async () => {
  const mailbox = mailboxWith();
  await send(mailbox, 'deadly');
  await send(mailbox, 'good');
  const row = { address: `${mailbox.name}/x`, holder: 'dead', held_until: new Date(0), takeovers: 9 };
  await one.mysql('kernel_mailbox_leases').insert(row);
  const words: string[] = [];
  const handle = (_turn: MailTurn, { body }: Mail<Body>) => Promise.resolve((words.push(body.word), done()));
  await turnAt(one, mailbox, handle);
  expect(words).toEqual(['good']);
  expect(await rowsOf(one, mailbox)).toMatchObject([
    { state: 'failed', reason: expect.stringContaining('died') },
    { state: 'done' },
  ]);
});

test('An attempt of a mail handler that exceeds its time limit fails', async () => {
  const mailbox = mailboxWith({ attemptMs: 100, attempts: 1 });
  await send(mailbox, 'slow');
  await turnAt(
    one,
    mailbox,
    ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
  );
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'failed', attempts: 1, reason: 'ended' }]);
});

test('A draining worker leaves its remaining mail to others, and an interrupted attempt is not counted', async () => {
  const mailbox = mailboxWith();
  await send(mailbox, 'first');
  await send(mailbox, 'second');
  const ending = new AbortController();
  await turnAt(one, mailbox, () => (ending.abort(), Promise.resolve(done())), ending.signal);
  const draining = new AbortController();
  const callOff = () => (draining.abort(), Promise.reject(new Error('called off')));
  await expect(turnAt(one, mailbox, callOff, draining.signal)).rejects.toThrow('called off');
  expect(await rowsOf(one, mailbox)).toMatchObject([{ state: 'done' }, { state: 'pending', attempts: 0 }]);
});

test('Mail that a batch handler did not end stays unchanged even if the writes for the other mail fail', async () => {
  const mailbox = mailboxWith({ batch: 3 });
  for (const word of ['first', 'second', 'third']) await send(mailbox, word);
  const handle = () => Promise.resolve([done({ write: () => Promise.reject(new Error('not written')) })]);
  const draining = new AbortController().signal;
  await takeTurn(one, { mailbox, work: { handle }, at: { id: 'x' }, draining });
  expect(await rowsOf(one, mailbox)).toMatchObject([
    { state: 'pending', attempts: 1, reason: 'not written' },
    { state: 'pending', attempts: 0, reason: null },
    { state: 'pending', attempts: 0, reason: null },
  ]);
});
