import { readFarEndNotes } from '../../../src/kernel/far-ends/far-end-notes';
import { openCarrierStack, type CarrierStack } from '../../support/telephony/carrier-stack';
import { until } from '../../support/until';
import { startWorkers } from '../../support/kernel/workers';

const NUMBER = '+15550100011';
let stack: CarrierStack;
let account: Awaited<ReturnType<CarrierStack['connect']>>;

beforeAll(async () => {
  // The sweep would take up the texts too, only later.
  stack = await openCarrierStack({ BREAKER_FAILURES: '1000', SWEEP_AFTER_MS: '600000' });
  account = await stack.connect('telnyx', NUMBER);
  await startWorkers(stack.cluster, 'texting-outbound');
});
afterAll(() => stack.close());

test('A text that a carrier failed to accept is retried after 2 s, then after 4 s, without the sweep', async () => {
  const conversation = await stack.converse(NUMBER, '+15550200001');
  stack.carrier.mood({ status: 503 }, 2);
  const began = Date.now();
  const id = await conversation.send('patience');
  await conversation.reaches(id, 'sent');
  // Each pause is up to a tenth shorter or longer.
  expect(Date.now() - began).toBeGreaterThan((2000 + 4000) * 0.9);
});

test('A text that no carrier accepted for an hour is given up, and the next one of its conversation is sent', async () => {
  const conversation = await stack.converse(NUMBER, '+15550200002');
  const mails = () => stack.node.kernel.mysql('kernel_mail').where({ mailbox: 'texting-outbound' });
  /** Waits until the carrier has failed to take the text this often, then makes the text older. */
  const age = async (attempts: number, minutes: number) => {
    await until(() => mails().where({ attempts }).first('id'));
    await mails().update({ created_at: stack.node.kernel.mysql.raw('NOW(3) - INTERVAL ? MINUTE', [minutes]) });
  };
  stack.carrier.mood({ status: 503 }, 2);
  const id = await conversation.send('too late');
  await age(1, 59);
  await age(2, 61);
  const error = { code: 'gave_up', detail: 'No carrier took it in time' };
  expect(await conversation.reaches(id, 'failed')).toMatchObject({ error });
  await conversation.reaches(await conversation.send('in time'), 'sent');
  expect(stack.carrier.seen.at(-1)!.fields).toMatchObject({ text: 'in time' });
});

test('A carrier that refuses our credentials counts as failing, and one that refuses a text does not', async () => {
  const conversation = await stack.converse(NUMBER, '+15550200003');
  const note = async () => (await readFarEndNotes(stack.node.kernel, [{ kind: 'carrier', id: account.id }]))[0]!;
  const send = async (status: number) => {
    stack.carrier.mood({ status });
    await conversation.reaches(await conversation.send(`refused with ${status}`), 'failed');
  };
  await send(401);
  expect(await until(note, ({ failures }) => failures > 0)).toMatchObject({ error: 'The carrier answered 401' });
  await send(422);
  await until(note, ({ failingSince }) => failingSince === null);
});
