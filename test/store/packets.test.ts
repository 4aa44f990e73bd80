import { tenantOf, type Address } from '../../src/kernel/actor/address';
import { fencedPacket, FIRST_CHANGED, raiseFence, Superseded } from '../../src/kernel/actor/fence';
import type { Kernel } from '../../src/kernel/kernel';
import { deliverPacket } from '../../src/kernel/mysql/deliver-packet';
import { isDuplicate } from '../../src/kernel/mysql/outcome';
import { openCluster, type Cluster } from '../support/cluster';
import { until } from '../support/until';

let cluster: Cluster;
let kernel: Kernel;
const carried: string[] = [];

beforeAll(async () => {
  cluster = await openCluster();
  kernel = await cluster.kernel();
  await kernel.mysql.raw('CREATE TABLE rows_of_test (id INT PRIMARY KEY, word VARCHAR(20) NOT NULL)');
  kernel.outbox.register({
    name: 'plain',
    numbered: false,
    carry: (rows) => Promise.resolve(void carried.push(...rows.map(({ body }) => body))),
  });
});
afterAll(() => cluster.close());

const rows = () => kernel.mysql('rows_of_test').orderBy('id');
const insert = (id: number, word: string) => kernel.mysql('rows_of_test').insert({ id, word }).toSQL();
const delivery = (body: string) => ({ carrier: 'plain', tenant: tenantOf('test', 'one'), body });

describe('a packet that delivers', () => {
  test('writes all of it, and it is carried once', async () => {
    await deliverPacket(kernel, [insert(1, 'one'), insert(2, 'two')], delivery('told'));
    expect(await rows()).toHaveLength(2);
    await until(
      () => Promise.resolve(carried),
      (all) => all.includes('told'),
    );
    await kernel.outbox.settle();
    expect(await kernel.mysql('kernel_outbox').whereNull('carried_at')).toEqual([]);
  });

  test('that is refused in the middle leaves nothing, and the connection usable', async () => {
    const error = await deliverPacket(kernel, [insert(3, 'x'), insert(1, 'again')], delivery('never')).catch(
      (each: unknown) => each,
    );
    expect(isDuplicate(error)).toBe(true);
    expect(await rows()).toHaveLength(2);
    expect(carried).not.toContain('never');
    await deliverPacket(kernel, [insert(3, 'three')], delivery('after'));
    expect(await rows()).toHaveLength(3);
  });
});

describe('a fenced packet', () => {
  const address: Address = { tenant: tenantOf('test', 'one'), kind: 'fenced', id: 'a' };
  const change = (id: number, word: string) => kernel.mysql('rows_of_test').where({ id }).update({ word });
  const then = (id: number, word: string) => change(id, word).whereRaw(FIRST_CHANGED).toSQL();

  test('writes the rest only if the first of it changed a row, and says whether it did', async () => {
    const { fence } = await raiseFence(kernel.mysql, address);
    const turn = { kernel, address, fence };
    expect(await fencedPacket(turn, change(1, 'first'), [then(2, 'second')])).toBe(true);
    expect(await fencedPacket(turn, change(99, 'nobody'), [then(2, 'not this')])).toBe(false);
    expect((await rows()).map(({ word }) => word)).toEqual(['first', 'second', 'three']);
  });

  test('of a turn that another has overtaken writes nothing', async () => {
    const late = { kernel, address, fence: (await raiseFence(kernel.mysql, address)).fence };
    await raiseFence(kernel.mysql, address);
    await expect(fencedPacket(late, change(1, 'late'), [then(2, 'late')])).rejects.toThrow(Superseded);
    expect((await rows()).map(({ word }) => word)).toEqual(['first', 'second', 'three']);
  });
});
