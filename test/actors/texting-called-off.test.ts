import type { TurnContext } from '../../src/kernel/actor/leased-turn';
import { startConsumer } from '../../src/kernel/jobs/consume';
import { handOver } from '../../src/telephony/commands/hand-over-text';
import { receiveText } from '../../src/telephony/commands/receive-text';
import { companyTenant } from '../../src/telephony/model/company';
import type { ConversationId } from '../../src/telephony/model/texting';
import { nextOutbound } from '../../src/telephony/store/text-sends';
import { textingOutbound } from '../../workers/texting-outbound';
import { textingSweep } from '../../workers/texting-sweep';
import { openCarrierStack, type CarrierStack } from '../support/carrier-stack';
import { until } from '../support/until';

jest.setTimeout(120_000);

const OURS = '+15550100021';

let stack: CarrierStack;
let account: Awaited<ReturnType<CarrierStack['connect']>>;
let used = 0;
const somebody = () => `+1555021${String((used += 1)).padStart(4, '0')}`;

beforeAll(async () => {
  stack = await openCarrierStack({ BREAKER_FAILURES: '1000' });
  account = await stack.connect('twilio', OURS);
});
afterAll(() => stack.close());

const takenFor = (number: string) => stack.carrier.seen.filter(({ fields }) => fields.To === number);

const stop = (from: string) =>
  receiveText(stack.node.kernel, {
    carrierAccountId: account.id,
    carrierMessageId: `stop-${from}`,
    from,
    to: OURS,
    text: 'STOP',
    media: [],
    receivedAt: new Date(),
  });

test.each(['deleted', 'stopped'])('what is %s after a worker looked at it is not handed over', async (how) => {
  const { kernel } = stack.node;
  const to = somebody();
  const conversation = await stack.converse(OURS, to);
  const id = await conversation.send('too late');
  const text = (await nextOutbound(kernel.mysql, conversation.id as ConversationId))!;
  expect(text.textId).toBe(id);
  if (how === 'stopped') await stop(to);
  else await stack.people.owner('DELETE', `/texting/conversations/${conversation.id}/messages/${id}`);
  const turn: TurnContext = {
    kernel,
    address: { tenant: companyTenant(text.companyId), kind: 'sending', id: conversation.id },
    fence: 1,
    isOver: () => false,
    commit: (work) => kernel.transaction(work),
  };
  const settings = { ...stack.cluster.config(), publicUrl: 'http://127.0.0.1' };
  expect(await handOver(turn, settings, text)).toBe('done');
  expect(takenFor(to)).toEqual([]);
});

test('what waits to be handed over again when they stop is not', async () => {
  const to = somebody();
  const conversation = await stack.converse(OURS, to);
  stack.carrier.mood({ status: 503 }, 1);
  const id = await conversation.send('again and again');
  const worker = await stack.cluster.kernel({ NODE_NAME: 'worker' });
  for (const consumer of [textingOutbound(stack.cluster.config()), textingSweep]) await startConsumer(worker, consumer);
  const tries = () => stack.node.kernel.mysql('tel_send_tries').whereNotNull('error').pluck('send_id');
  await until(tries, (found) => found.length > 0);
  await stop(to);
  expect(await conversation.reaches(id, 'failed')).toMatchObject({ error: { code: 'OPTED_OUT' } });
  // The next one is sent, so whatever came before it has been looked at.
  const other = somebody();
  const later = await stack.converse(OURS, other);
  await later.reaches(await later.send('hello'), 'sent');
  expect(takenFor(to)).toEqual([]);
});
