import { forgetOldMessages } from '../../../src/chat/commands/messages/forget-old-messages';
import { chatRetention } from '../../../src/chat/workers';
import { sweepExports } from '../../../src/chat/commands/organisation/exports';
import { openOrganisations, type Organisation, type Organisations } from '../../support/chat/organisations';
import { chatOf } from '../../support/kernel/parts';

const LONG_AGO = new Date('2020-01-01');
let opened: Organisations;

beforeAll(async () => {
  opened = await openOrganisations();
});
afterAll(() => opened.cluster.close());

/** Sends a message that is older than its organisation's retention. */
async function sayLongAgo({ id: realmId, owner }: Organisation): Promise<number> {
  const { mysql } = opened.node.kernel;
  await owner.patch('/realm', { message_retention_days: '30' });
  const to = JSON.stringify(['owner@example.com']);
  const { body } = await owner.post('/messages', { type: 'private', to, content: 'old' });
  await mysql('chat_messages')
    .where({ realm_id: realmId, id: body.id })
    .decrement('sent_at', 31 * 86_400);
  return body.id;
}

/** While the work runs, no row that matches the condition can be changed in this way. */
async function stuck(event: string, condition: string, work: () => Promise<unknown>): Promise<void> {
  const { mysql } = opened.node.kernel;
  const refuse = "SIGNAL SQLSTATE '45000'";
  await mysql.raw(`CREATE TRIGGER stuck BEFORE ${event} FOR EACH ROW IF ${condition} THEN ${refuse}; END IF`);
  try {
    await work();
  } finally {
    await mysql.raw('DROP TRIGGER stuck');
  }
}

const isThere = async ({ owner }: Organisation, id: number): Promise<boolean> =>
  (await owner.get(`/messages/${id}`)).status === 200;

/** The first organisation has waited longest. */
async function makeDue(): Promise<void> {
  const { mysql } = opened.node.kernel;
  await mysql('chat_realms').update({ retention_due_at: new Date(2000) });
  await mysql('chat_realms')
    .where({ id: opened.acme.id })
    .update({ retention_due_at: new Date(1000) });
}

test('An organisation whose messages cannot be deleted does not stop the retention of others', async () => {
  const { node, acme, beta } = opened;
  const { kernel } = node;
  const [kept, old] = [await sayLongAgo(acme), await sayLongAgo(beta)];
  const forget = () => forgetOldMessages(kernel, kernel.lifecycle.draining);
  await makeDue();
  await stuck('DELETE ON chat_messages', `OLD.realm_id = ${acme.id}`, forget);
  expect([await isThere(acme, kept), await isThere(beta, old)]).toEqual([true, false]);
  await makeDue();
  await forget();
  expect(await isThere(acme, kept)).toBe(false);
});

test('An export that cannot be swept stops neither the sweep of others nor the deletion of messages', async () => {
  const { node, acme, beta } = opened;
  const { mysql } = node.kernel;
  const chat = chatOf(node.kernel);
  const ids: number[] = [];
  // In this order, so that the first organisation has the lower id.
  for (const { id: realm_id, owner } of [acme, beta]) {
    const { body } = await owner.post('/export/realm');
    await mysql('chat_exports').where({ realm_id, id: body.id }).update({ touched_at: LONG_AGO });
    ids.push(body.id as number);
  }
  const states = () => mysql('chat_exports').whereIn('id', ids).orderBy('id').pluck('state');
  await stuck('UPDATE ON chat_exports', `OLD.id = ${ids[0]}`, () => sweepExports(chat));
  expect(await states()).toEqual(['pending', 'failed']);

  const old = await sayLongAgo(beta);
  await makeDue();
  await mysql.raw('RENAME TABLE chat_exports TO put_away');
  const worker = chatRetention(chat);
  const turn = { signal: node.kernel.lifecycle.draining } as Parameters<typeof worker.run>[2];
  await expect(worker.run(node.kernel, null, turn)).rejects.toThrow('chat_exports');
  await mysql.raw('RENAME TABLE put_away TO chat_exports');
  expect(await isThere(beta, old)).toBe(false);
});
