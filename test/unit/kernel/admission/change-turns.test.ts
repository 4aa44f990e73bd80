import { Gate } from '../../../../src/kernel/admission/gate';
import { changeRule, takesChangeTurns } from '../../../../src/kernel/http/gates';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Changes that run until they are let go; tells which have begun. */
function open(mysqlConnections: number) {
  const turns = new Gate(changeRule(mysqlConnections));
  const begun: string[] = [];
  const going: (() => void)[] = [];
  let isOver = false;
  const asked: Promise<void>[] = [];
  return {
    begun,
    /** The first letter names the tenant, the second the user. */
    ask: (name: string) => {
      const party = { caller: name.slice(0, 2), address: name[0]! };
      const change = () => {
        begun.push(name);
        return isOver ? Promise.resolve() : new Promise<void>((resolve) => void going.push(resolve));
      };
      asked.push(turns.through(party, change));
      return settle();
    },
    finish: async (): Promise<void> => {
      isOver = true;
      for (const done of going) done();
      await Promise.all(asked);
    },
  };
}

test('Changes of one user get a fifth of the connections, and those of other users go on', async () => {
  const { ask, begun, finish } = open(10);
  for (const name of ['aa1', 'aa2', 'aa3', 'aa4', 'ab1', 'ba1']) await ask(name);
  expect(begun).toEqual(['aa1', 'aa2', 'ab1', 'ba1']);
  await finish();
  expect(begun).toEqual(['aa1', 'aa2', 'ab1', 'ba1', 'aa3', 'aa4']);
});

test('Changes of one tenant get six tenths of the connections, and those of other tenants go on', async () => {
  const { ask, begun, finish } = open(10);
  const users = ['aa', 'ab', 'ac', 'ad', 'ae', 'af', 'ag', 'ah'];
  for (const user of users) await ask(`${user}1`);
  await ask('ba1');
  expect(begun).toEqual([...users.slice(0, 6).map((user) => `${user}1`), 'ba1']);
  await finish();
  expect(begun).toHaveLength(9);
});

test('A process with few connections makes one change of a user at a time', async () => {
  const { ask, begun, finish } = open(1);
  for (const name of ['aa1', 'aa2', 'ba1']) await ask(name);
  expect(begun).toEqual(['aa1', 'ba1']);
  await finish();
});

test('Every change takes a turn, unless it has a gate of its own or waits for something else than a row', () => {
  const change = { method: 'post', limited: true, isExpensive: false, waitsElsewhere: false };
  expect(takesChangeTurns(change)).toBe(true);
  expect(takesChangeTurns({ ...change, method: 'get' })).toBe(false);
  expect(takesChangeTurns({ ...change, isExpensive: true })).toBe(false);
  expect(takesChangeTurns({ ...change, waitsElsewhere: true })).toBe(false);
});
