import { openCarrierStack, type CarrierStack } from '../support/carrier-stack';
import { startWorkers } from '../support/workers';

const NUMBER = '+15550100011';
let stack: CarrierStack;

beforeAll(async () => {
  // The sweep would take the texts up as well, only later.
  stack = await openCarrierStack({ BREAKER_FAILURES: '1000', SWEEP_AFTER_MS: '600000' });
  await stack.connect('telnyx', NUMBER);
  await startWorkers(stack.cluster, 'texting-outbound');
});
afterAll(() => stack.close());

test('A text that a carrier could not take twice is tried again after 2 s, then after 4 s, without the sweep', async () => {
  const conversation = await stack.converse(NUMBER, '+15550200001');
  stack.carrier.mood({ status: 503 }, 2);
  const began = Date.now();
  const id = await conversation.send('patience');
  await conversation.reaches(id, 'sent');
  // Each pause is up to a tenth shorter or longer.
  expect(Date.now() - began).toBeGreaterThan((2000 + 4000) * 0.9);
});
