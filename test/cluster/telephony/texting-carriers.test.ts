import { killAll, startProcess, type TestProcess } from '../../support/processes/processes';
import { openCarrierStack, type CarrierStack } from '../../support/telephony/carrier-stack';
import { until } from '../../support/until';
import { DEMO_ONE, inboundText, postAsCarrier } from '../../api/telephony/texting/carrier-requests';
import type { Environment, TestNode } from '../../support/kernel/cluster';

let stack: CarrierStack;
let second: TestNode;
const TELNYX = '+15550100011';
const WORKERS = ['texting-outbound', 'texting-inbound'];
/** For workers that find that the time for a receipt is over. */
const NO_RECEIPT = { CARRIER_UNKNOWN_MS: '0' };
let next = 0;
const somebody = (): string => `+1555030${String(++next).padStart(4, '0')}`;

beforeAll(async () => {
  stack = await openCarrierStack({ JOB_LOCK_MS: '1000' });
  await stack.connect('telnyx', TELNYX);
  second = await stack.cluster.node({ NODE_NAME: 'second' });
});
afterEach(() => killAll());
afterAll(async () => {
  await stack.close();
  await killAll();
});

async function startWorker(more: Environment = {}, names = WORKERS): Promise<TestProcess> {
  const worker = startProcess('workers/main.ts', { ...stack.cluster.environment, LOG_LEVEL: 'debug', ...more }, names);
  await worker.line(/worker ready/);
  return worker;
}

async function kill(worker: TestProcess): Promise<void> {
  worker.kill('SIGKILL');
  await worker.ended;
}

const takenFor = (number: string): string[] =>
  stack.carrier.seen.filter(({ fields }) => fields.to === number).map(({ fields }) => fields.text as string);

/** The texts received from a number, as the company sees them. */
async function received(from: string): Promise<string[]> {
  const { body } = await stack.people.owner('GET', '/texting/conversations', undefined, {
    query: { search: from.slice(1), per_page: '1000' },
  });
  if (body.length === 0) return [];
  const messages = await stack.people.owner('GET', `/texting/conversations/${body[0].id}/messages?per_page=1000`);
  return (messages.body as { text: string }[]).map(({ text }) => text).reverse();
}

describe('Worker killed after the carrier accepted a text and before that was recorded', () => {
  test('A carrier that deduplicates texts is given the text of a killed worker again and delivers it once', async () => {
    const doomed = await startWorker({ PAUSE_AT: 'mid-call' });
    const conversation = await stack.converse(DEMO_ONE.number, somebody());
    const ids = [await conversation.send('first'), await conversation.send('second')];
    await doomed.line(/paused at mid-call/);
    await kill(doomed);
    await startWorker();
    for (const id of ids) await conversation.reaches(id, 'delivered');
    const { mysql } = stack.node.kernel;
    expect(await mysql('tel_text_sends').whereIn('text_id', ids)).toHaveLength(2);
    expect(await mysql('tel_carrier_calls').where('body', 'like', `%sim-delivered%`)).toHaveLength(2);
  });

  test('Another carrier is given the text of a killed worker once, and a receipt settles its status', async () => {
    const to = somebody();
    const doomed = await startWorker({ PAUSE_AT: 'mid-call' });
    const conversation = await stack.converse(TELNYX, to);
    const ids = [await conversation.send('first'), await conversation.send('second')];
    await doomed.line(/paused at mid-call/);
    await kill(doomed);
    const seen = stack.carrier.seen.find(({ fields }) => fields.to === to)!;
    // The next worker reads it, however much later that is.
    await keepReceipt(seen.messageId, seen.fields.tags);
    await startWorker();
    await conversation.reaches(ids[0]!, 'delivered');
    await conversation.reaches(ids[1]!, 'sent');
    expect(takenFor(to)).toEqual(['first', 'second']);
  });

  test('A text of a killed worker that gets no receipt is handed over once and has failed, and the next one is sent', async () => {
    const to = somebody();
    const doomed = await startWorker({ PAUSE_AT: 'mid-call' });
    const conversation = await stack.converse(TELNYX, to);
    const ids = [await conversation.send('first'), await conversation.send('second')];
    await doomed.line(/paused at mid-call/);
    await kill(doomed);
    await startWorker(NO_RECEIPT);
    expect((await conversation.reaches(ids[0]!, 'failed')).error).toMatchObject({ code: 'unknown_outcome' });
    await conversation.reaches(ids[1]!, 'sent');
    expect(takenFor(to)).toEqual(['first', 'second']);
  });
});

async function keepReceipt(id: string, tags: readonly string[]): Promise<void> {
  const { mysql } = stack.node.kernel;
  const number = await mysql('tel_text_numbers').where({ e164: TELNYX }).first();
  const to = [{ phone_number: '+15550300000', status: 'delivered' }];
  const payload = { id, from: { phone_number: TELNYX }, to, tags, parts: 1, errors: [] };
  const body = JSON.stringify({ data: { id: `event-${id}`, event_type: 'message.finalized', payload } });
  const now = mysql.raw('NOW(3)');
  const row = {
    account_id: number.carrier_account_id,
    about: 'texting',
    dedupe_key: id.padEnd(64, '-'),
    url: '',
    body,
  };
  await mysql('tel_carrier_calls').insert({ ...row, state: 'pending', created_at: now, next_try_at: now });
}

test('A worker that is frozen for longer than its lease sends no text twice when it resumes', async () => {
  const to = somebody();
  const frozen = await startWorker({ PAUSE_AT: 'mid-call' });
  const conversation = await stack.converse(TELNYX, to);
  const id = await conversation.send('once');
  await frozen.line(/paused at mid-call/);
  frozen.kill('SIGSTOP');
  await startWorker(NO_RECEIPT);
  await conversation.reaches(id, 'failed');
  frozen.kill('SIGCONT');
  expect(takenFor(to)).toEqual(['once']);
});

describe('Worker killed while it reads calls of a carrier', () => {
  test.each(['before-commit', 'after-commit'])(
    'Texts from a carrier are received once each and in order when the worker is killed at %s',
    async (point) => {
      const from = somebody();
      const texts = ['one', 'two', 'three'];
      for (const text of texts) expect((await postAsCarrier(stack.node, inboundText({ from, text }))).status).toBe(204);
      const doomed = await startWorker({ PAUSE_AT: `${point}:2` }, ['texting-inbound']);
      await doomed.line(new RegExp(`paused at ${point}`));
      await kill(doomed);
      await startWorker();
      await until(
        () => received(from),
        (all) => all.length >= 3,
      );
      const { mysql } = stack.node.kernel;
      await until(
        () => mysql('tel_carrier_calls').where({ state: 'pending' }),
        (rows) => rows.length === 0,
      );
      expect(await received(from)).toEqual(texts);
    },
  );
});

test('Carrier webhooks that are repeated on both nodes while workers die yield each text once', async () => {
  const from = somebody();
  const texts = Array.from({ length: 20 }, (_, index) => inboundText({ from, text: `text ${index}` }));
  const doomed = await startWorker();
  const calls = texts.flatMap((text) => [stack.node, second, stack.node].map((node) => postAsCarrier(node, text)));
  expect((await Promise.all(calls)).every(({ status }) => status === 204)).toBe(true);
  await until(
    () => received(from),
    (all) => all.length >= 3,
  );
  await kill(doomed);
  for (const text of texts) await postAsCarrier(second, text);
  await startWorker();
  const all = await until(
    () => received(from),
    (found) => found.length >= 20,
  );
  await until(
    () => stack.node.kernel.mysql('tel_carrier_calls').where({ state: 'pending' }),
    (rows) => rows.length === 0,
  );
  expect([...all].sort()).toEqual(texts.map(({ text }) => text as string).sort());
  expect(await received(from)).toHaveLength(20);
});

test('Texts that are sent while no worker runs are handed over once one runs', async () => {
  const to = somebody();
  const conversation = await stack.converse(TELNYX, to);
  const id = await conversation.send('patient');
  await startWorker();
  await conversation.reaches(id, 'sent');
  expect(takenFor(to)).toEqual(['patient']);
});
