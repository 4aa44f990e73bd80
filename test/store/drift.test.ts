import { byInstance, save } from '../../src/telephony/store/sites/drift';
import { openCluster, type Cluster } from '../support/kernel/cluster';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(() => cluster.close());

test('A drift report with thousands of different extensions is stored completely', async () => {
  const { mysql } = await cluster.kernel();
  const instance = '00000000-0000-4000-8000-000000000001';
  const numbers = Array.from({ length: 20_000 }, (_, index) => 1_000_000 + index);
  const same = { changed: [], unknown: [], leftover: [], alike: 0 };
  const blank = { ...same, repaired: [], skipped: [], isComplete: true, detail: '' };
  await save(mysql, instance, { ...blank, missing: numbers }, new Date());
  expect((await byInstance(mysql, instance))?.report.missing).toEqual(numbers);
});
