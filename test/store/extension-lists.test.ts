import { newId } from '../../src/kernel/id';
import { pageExtensions, type ExtensionQuery } from '../../src/telephony/store/extensions/extension-lists';
import { lastOf } from '../../src/telephony/store/extensions/operation-queries';
import { seedDemo } from '../../src/telephony/commands/seed-demo';
import { openCluster, type Cluster } from '../support/kernel/cluster';
import type { Kernel } from '../../src/kernel/kernel';
import { keepStatistics, rowsRead } from '../support/kernel/rows-read';

let cluster: Cluster;
let kernel: Kernel;
const PBX = '00000000-0000-4000-8000-000000000001';
/** A multiple of six, for the filters. */
const HOW_MANY = 10_002;

beforeAll(async () => {
  cluster = await openCluster();
  // One connection: the server counts what a session reads.
  kernel = await cluster.kernel({ MYSQL_CONNECTIONS: '1', SWEEP_INTERVAL_MS: '600000' });
  await seedDemo(kernel, 'http://127.0.0.1:1');
  const { company_id: company, location_id: location } = await kernel
    .mysql('tel_instances')
    .where({ uuid: PBX })
    .first('company_id', 'location_id');
  const { id: user } = await kernel.mysql('tel_contacts').where({ company_id: company }).first('id');
  const now = kernel.mysql.raw('NOW(3)');
  const rows = Array.from({ length: HOW_MANY }, (_, index) => ({
    id: newId(),
    company_id: company,
    pbx: PBX,
    number: 1000 + index,
    name: `Phone ${index}`,
    description: '',
    user_id: index % 3 === 0 ? null : user,
    location_id: location,
    purpose: index % 2 === 0 ? 'mobile-app' : 'ip-phone',
    is_visible: index !== 5,
    data: '{}',
    credentials: '',
    search_text: `${1000 + index} phone ${index} 100%_süd`,
    user_text: index % 3 === 0 ? '' : `ünal ${String(index % 7)}`,
    created_at: now,
    updated_at: now,
  }));
  await kernel.mysql.batchInsert('tel_extensions', rows, 1000);
  await keepStatistics(kernel, ['tel_extensions']);
});
afterAll(() => cluster.close());

const list = (query: Partial<ExtensionQuery>, page = { number: 1, size: 50 }) =>
  pageExtensions(kernel.mysql, PBX, { query: { byUser: false, ofUsers: false, ...query }, page });
const numbers = async (...args: Parameters<typeof list>) => (await list(...args)).items.map(({ number }) => number);

test('Pages of extensions have no gap and no repeat, in both orders, with and without a search', async () => {
  for (const query of [{}, { byUser: true }, { search: 'phone' }, { search: 'phone', byUser: true }]) {
    const all: number[] = [];
    for (let number = 1; number <= 11; number += 1) all.push(...(await numbers(query, { number, size: 1000 })));
    expect(new Set(all).size).toBe(HOW_MANY - 1);
    expect((await list(query)).total).toBe(HOW_MANY - 1);
    if (!query.byUser) expect(all).toEqual(all.toSorted((a, b) => a - b));
  }
});

test('A list sorted by user puts extensions without a user last', async () => {
  const users = (await list({ byUser: true }, { number: 1, size: HOW_MANY })).items.map(
    ({ userId }) => userId === null,
  );
  expect(users).toEqual(users.toSorted((a, b) => Number(a) - Number(b)));
  expect(users.filter(Boolean)).toHaveLength(HOW_MANY / 3);
});

test('A search matches the exact characters of its text, in any case', async () => {
  expect((await list({ search: 'PHONE 77 ' })).total).toBe(1);
  expect((await list({ search: '100%_SÜD' })).total).toBe(HOW_MANY - 1);
  expect((await list({ search: '100__süd' })).total).toBe(0);
  expect((await list({ search: '%' })).total).toBe(HOW_MANY - 1);
  expect((await list({ search: '\\' })).total).toBe(0);
  expect((await list({ search: 'Ünal 3' })).total).toBeGreaterThan(0);
  expect((await list({ search: 'ünal 3', ofUsers: true })).total).toBe((await list({ search: 'ünal 3' })).total);
  expect((await list({ search: 'phone', ofUsers: true })).total).toBe(0);
});

test('The total of a filtered list counts the extensions that the filter shows', async () => {
  const unassigned = await list({ filterBy: 'unassigned' });
  expect(unassigned.total).toBe(HOW_MANY / 3);
  expect(unassigned.items.every(({ userId }) => userId === null)).toBe(true);
  expect((await list({ filterBy: 'softphone', search: 'phone' })).total).toBe(HOW_MANY / 2);
});

test.each([
  {},
  { byUser: true },
  { search: 'phone' },
  { search: 'phone', byUser: true },
  { search: 'x', ofUsers: true },
])('The list %j is read from an index alone and needs no sort', async (query) => {
  const seen: string[] = [];
  const look = (asked: { sql: string; bindings: unknown[] }) => {
    const statements = kernel.mysql
      .raw(asked.sql, asked.bindings as never)
      .toQuery()
      .split(';');
    seen.push(...statements.filter((sql) => sql.includes('FORCE INDEX')));
  };
  kernel.mysql.on('query', look);
  await list(query);
  kernel.mysql.off('query', look);
  expect(seen.length).toBeGreaterThan(0);
  for (const sql of seen) {
    const [plan] = (await kernel.mysql.raw(`EXPLAIN ${sql}`)) as [{ table: string; Extra: string; key: string }[]];
    const index = plan.find(({ key }) => key?.startsWith('tel_extensions_'))!;
    expect(index.Extra).toContain('Using index');
    expect(index.Extra).not.toContain('filesort');
  }
});

test('A page of ten thousand extensions reads each index entry at most once, and fifty rows', async () => {
  for (const query of [{}, { byUser: true }, { search: 'phone 9' }, { search: 'ünal', byUser: true }]) {
    const read = await rowsRead(kernel, () => list(query, { number: 3, size: 50 }));
    // The count reads every entry, the page only those up to its end.
    expect([query, read < HOW_MANY + 500]).toEqual([query, true]);
  }
});

test('The provisioning state of a page of extensions is read by an index of their last operations', async () => {
  // Two orders for each extension, of which the second failed.
  for (const [letter, state] of [
    ['a', 'succeeded'],
    ['b', 'failed'],
  ]) {
    await kernel.mysql.raw(
      'INSERT INTO tel_operations (id, company_id, instance, kind, extension_id, extension_number, is_owner, address, ' +
        'state, deadline_at, created_at) SELECT CONCAT(?, LPAD(number, 23, 0)), company_id, pbx, ' +
        "'update', id, number, true, '', ?, NOW(3), NOW(3) FROM tel_extensions",
      [letter!, state!],
    );
  }
  await kernel.mysql.raw('ANALYZE TABLE tel_operations');
  const page = Array.from({ length: 50 }, (_, index) => 5000 + index);
  const read = await rowsRead(kernel, async () => {
    const found = await lastOf(kernel.mysql, PBX, page);
    expect(found.map(({ state }) => state)).toEqual(page.map(() => 'failed'));
  });
  expect(read).toBeLessThan(500);
});
