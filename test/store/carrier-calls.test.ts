import type { Kernel } from '../../src/kernel/kernel';
import { next } from '../../src/kernel/mailbox/rows';
import { carrierCalls } from '../../src/telephony/actors/mailboxes';
import type { CarrierAccountId } from '../../src/telephony/model/texting/texting';
import * as calls from '../../src/telephony/store/texting/carrier-calls';
import { openCluster, type Cluster } from '../support/kernel/cluster';

let cluster: Cluster;
let kernel: Kernel;
const ACCOUNT = "acc'ount" as CarrierAccountId;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  kernel = await cluster.kernel();
});
afterAll(() => cluster.close());

const call = (dedupeKey: string, body: string, url = 'https://example.com/w'): calls.NewCall => ({
  accountId: ACCOUNT,
  about: 'texting',
  dedupeKey: dedupeKey.padEnd(64, '0'),
  url,
  body,
});

test('Carrier calls are stored in order with any content, and a repeated call changes nothing', async () => {
  const bodies = [`it's "so" \\ \\' ?`, "'); DROP TABLE tel_carrier_calls; --", '\0\b\n\r\t\x1a%_', 'é € 😀', ''];
  const kept = bodies.map((body, at) => call(`a${at}`, body, `https://example.com/?q='${at}\\`));
  await calls.insert(kernel.mysql, kept);
  await calls.insert(kernel.mysql, [call('a0', 'told again'), call('b', 'x'.repeat(100_000), 'y'.repeat(600))]);
  const due = (await next(kernel.mysql, carrierCalls, ACCOUNT, 100)).map(({ body }) => body);
  expect(due.slice(0, -1)).toEqual(kept.map((each) => expect.objectContaining(each)));
  expect(due.at(-1)).toMatchObject({ body: 'x'.repeat(100_000), url: 'y'.repeat(500) });
});
