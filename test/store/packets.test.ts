import type { Kernel } from '../../src/kernel/kernel';
import { commitStatements } from '../../src/kernel/mysql/commit-statements';
import { isDuplicate } from '../../src/kernel/mysql/outcome';
import { openCluster, type Cluster } from '../support/kernel/cluster';

let cluster: Cluster;
let kernel: Kernel;

beforeAll(async () => {
  cluster = await openCluster();
  kernel = await cluster.kernel();
  await kernel.mysql.raw('CREATE TABLE rows_of_test (id INT PRIMARY KEY, word VARCHAR(20) NOT NULL)');
});
afterAll(() => cluster.close());

const rows = () => kernel.mysql('rows_of_test').orderBy('id').pluck('id');
const insert = (id: number, word: string) => kernel.mysql('rows_of_test').insert({ id, word }).toSQL();

test('A packet that is refused halfway changes nothing and leaves the connection usable', async () => {
  await commitStatements(kernel, [insert(1, 'one'), insert(2, 'two')]);
  expect(await rows()).toEqual([1, 2]);
  const error = await commitStatements(kernel, [insert(3, 'x'), insert(1, 'again')]).catch((each: unknown) => each);
  expect(isDuplicate(error)).toBe(true);
  expect(await rows()).toEqual([1, 2]);
  await commitStatements(kernel, [insert(3, 'three')]);
  expect(await rows()).toEqual([1, 2, 3]);
});
