import type { Kernel } from '../../src/kernel/kernel';
import { deleteTexts } from '../../src/telephony/commands/texting/delete-texts';
import { markTextsRead } from '../../src/telephony/commands/texting/mark-texts-read';
import { sendText } from '../../src/telephony/commands/texting/send-text';
import type { CompanyId } from '../../src/telephony/model/companies/company';
import type { Caller } from '../../src/telephony/model/contacts/contact';
import type { SendId } from '../../src/telephony/model/texting/texting';
import { listConversations, type ConversationQuery } from '../../src/telephony/queries/texting/conversations';
import { searchTexts } from '../../src/telephony/queries/texting/search-texts';
import { listTexts } from '../../src/telephony/queries/texting/texts';
import { outbound } from '../../src/telephony/store/texting/text-sends';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import { keepStatistics, rowsRead } from '../support/kernel/rows-read';

/** A company with twenty thousand conversations, one of them with fifty thousand texts that nobody has read. */
const CONVERSATIONS = 20_000;
const TEXTS = 50_000;
const OURS = '+15550100077';

let cluster: Cluster;
let kernel: Kernel;
let by: Caller;

const idOf = (kind: string, number: number) => `${kind}${String(number).padStart(23, '0')}`;
const busy = idOf('c', 7);

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  // One connection: the server counts what a session reads.
  kernel = await cluster.kernel({ MYSQL_CONNECTIONS: '1', MYSQL_DEADLINE_MS: '90000', SWEEP_INTERVAL_MS: '600000' });
  const { mysql } = kernel;
  const owner = (await mysql('tel_contacts').where({ work_email: 'owner@example.com' }).first()) as {
    id: Caller['contactId'];
    company_id: CompanyId;
  };
  by = { companyId: owner.company_id, contactId: owner.id, isOwner: true, from: '' };
  const id = (kind: string) => `CONCAT('${kind}', LPAD(seq, 23, '0'))`;
  const seq = `seq_1_to_${CONVERSATIONS}`;
  await mysql.raw(
    'INSERT INTO tel_text_numbers (e164, company_id, carrier_account_id, created_at) VALUES (?, ?, 1, NOW(3)); ' +
      'INSERT INTO tel_texting_contacts (id, company_id, number, raw_number, first_name, last_name, created_at, ' +
      `updated_at) SELECT ${id('k')}, ?, CONCAT('+1556', LPAD(seq, 7, '0')), '', CONCAT('N', seq), '', NOW(3), NOW(3) ` +
      `FROM ${seq}; ` +
      'INSERT INTO tel_conversations (id, company_id, conversation_type, name, from_number, contact_id, direct_with, ' +
      'timezone, last_seq, inbound_count, last_text_id, last_activity_at, created_at, updated_at) SELECT ' +
      `${id('c')}, ?, 'direct', '', ?, ${id('k')}, ${id('k')}, '', 1, 1, ${id('t')}, ` +
      `NOW(3) - INTERVAL seq SECOND, NOW(3), NOW(3) FROM ${seq}; ` +
      `INSERT INTO tel_conversation_members SELECT ${id('c')}, 0, ${id('k')} FROM ${seq}; ` +
      'INSERT INTO tel_texts (id, company_id, conversation_id, seq, inbound_seq, direction, text, status, status_rank, ' +
      `segments, created_at, updated_at) SELECT ${id('t')}, ?, ${id('c')}, 1, 1, 'inbound', 'x', 'received', 3, 1, ` +
      `NOW(3), NOW(3) FROM ${seq}`,
    [OURS, by.companyId, by.companyId, by.companyId, OURS, by.companyId],
  );
  await mysql.raw(
    'INSERT INTO tel_texts (id, company_id, conversation_id, seq, inbound_seq, direction, text, status, status_rank, ' +
      "segments, created_at, updated_at) SELECT CONCAT('b', LPAD(seq, 23, '0')), ?, ?, seq, seq, 'inbound', 'x', " +
      `'received', 3, 1, NOW(3), NOW(3) FROM seq_2_to_${TEXTS}; ` +
      'UPDATE tel_conversations SET last_seq = ?, inbound_count = ?, last_text_id = ? WHERE id = ?',
    [by.companyId, busy, TEXTS, TEXTS, idOf('b', TEXTS), busy],
  );
  const tables = ['tel_texts', 'tel_conversations', 'tel_conversation_members', 'tel_texting_contacts'];
  await keepStatistics(kernel, tables);
});
afterAll(() => cluster.close());

const page = { number: 1, size: 50 };
const query = (more: Partial<ConversationQuery> = {}): ConversationQuery => ({
  fromNumbers: [],
  sort: 'last_activity',
  ...more,
});
const list = (more?: Partial<ConversationQuery>) =>
  listConversations(kernel.readFrom, by, { query: query(more), page });

test('A page of conversations is read by an index, and counting them reads that index alone', async () => {
  const { items, total } = await list();
  expect([items.length, total]).toEqual([50, CONVERSATIONS]);
  const read = await rowsRead(kernel, list);
  expect(read).toBeGreaterThan(CONVERSATIONS);
  expect(read).toBeLessThan(CONVERSATIONS + 2500);
});

test('The conversations of a contact are found without reading others', async () => {
  for (const one of [{ contactId: idOf('k', 5) }, { contactNumber: '+15560000005' as never }]) {
    expect(await list(one)).toMatchObject({ total: 1, items: [{ id: idOf('c', 5) }] });
    expect(await rowsRead(kernel, () => list(one))).toBeLessThan(100);
  }
});

test('A page of texts reads few rows from any message on, and unread texts are not counted one by one', async () => {
  const texts = (more = {}) => listTexts(kernel.mysql, by, { conversationId: busy, page, ...more });
  expect((await texts()).total).toBe(TEXTS);
  for (const more of [{}, { before: idOf('b', 20_000) }, { after: idOf('b', 20_000) }]) {
    expect((await texts(more)).items).toHaveLength(50);
    expect(await rowsRead(kernel, () => texts(more))).toBeLessThan(400);
  }
  const shown = (await list()).items.find((each) => (each as { id: string }).id === busy);
  expect(shown).toMatchObject({ unread_msg_count: TEXTS });
});

test('Reading, sending and deleting texts read few rows, however long the conversation is', async () => {
  const messagesIds = [idOf('b', 40_000), idOf('b', 40_001)];
  const reading = { conversationId: busy, messagesIds, timezone: 'UTC' };
  expect(await rowsRead(kernel, () => markTextsRead(kernel.transaction, by, reading))).toBeLessThan(100);
  const draft = { conversationId: busy, text: 'x', fileIds: [], stampId: 's', idempotencyKey: 'k' };
  expect(await rowsRead(kernel, () => sendText(kernel, by, draft))).toBeLessThan(100);
  const gone = { conversationId: busy, ids: [idOf('b', 40_001), idOf('b', TEXTS)] };
  expect(await rowsRead(kernel, () => deleteTexts(kernel, by, gone))).toBeLessThan(150);
  const { id } = (await kernel.mysql('tel_text_sends').where({ conversation_id: busy }).first('id')) as { id: SendId };
  const next = () => outbound(kernel.mysql, id);
  expect(await next()).toMatchObject({ text: 'x' });
  expect(await rowsRead(kernel, next)).toBeLessThan(20);
});

test('A search of all texts looks at a bounded part of them, and goes on where it ended', async () => {
  // At one moment each, as in life.
  await kernel.mysql.raw(
    'UPDATE tel_texts SET created_at = created_at - INTERVAL CAST(SUBSTRING(id, 2) AS UNSIGNED) SECOND ' +
      "WHERE id REGEXP '^[bt][0-9]{23}$'",
  );
  const search = (cursor?: string) => searchTexts(kernel.mysql, by, { words: 'not written', cursor });
  const { items, next } = await search();
  expect([items, next]).toEqual([[], expect.any(String)]);
  // Twenty thousand to find the end of the part, and as many to look at.
  expect(await rowsRead(kernel, () => search())).toBeLessThan(45_000);
  expect(await rowsRead(kernel, () => search(next))).toBeLessThan(45_000);
});
