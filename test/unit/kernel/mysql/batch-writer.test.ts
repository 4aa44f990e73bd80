import { openBatchWriter } from '../../../../src/kernel/mysql/batch-writer';
import { CommitUnknown } from '../../../../src/kernel/mysql/outcome';

const settled = (writes: Promise<void>[]) =>
  Promise.allSettled(writes).then((ends) => ends.map(({ status }) => status));

/** A database that records its statements, and behaves as it is told. */
function openFake(misbehave: (rows: readonly string[], turn: number) => Error | undefined = () => undefined) {
  const statements: string[][] = [];
  const writer = openBatchWriter<string>({
    weigh: (row) => row.length,
    async write(rows) {
      statements.push([...rows]);
      await new Promise((resolve) => setImmediate(resolve));
      const error = misbehave(rows, statements.length);
      if (error) throw error;
    },
  });
  return { statements, write: (row: string) => writer.write(row) };
}

/** The waiting statement has been sent. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('Rows of one tick are written together in order, and so are rows that arrive during a write', async () => {
  const { statements, write } = openFake();
  await Promise.all(['a', 'b', 'c'].map(write));
  const lone = write('d');
  await turn();
  await Promise.all([lone, write('e'), write('f')]);
  expect(statements).toEqual([['a', 'b', 'c'], ['d'], ['e', 'f']]);
});

test('A batch has at most a hundred rows and about a million bytes', async () => {
  const { statements, write } = openFake();
  await Promise.all(Array.from({ length: 251 }, (_, index) => write(String(index))));
  expect(statements.map(({ length }) => length)).toEqual([100, 100, 51]);
  const large = openFake();
  await Promise.all(Array.from({ length: 4 }, () => large.write('x'.repeat(600_000))));
  expect(large.statements.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
});

test('A large batch is split in two halves, so that one half is written while the other sends again', async () => {
  const { statements, write } = openFake();
  await Promise.all(Array.from({ length: 64 }, (_, index) => write(String(index))));
  expect(statements.map(({ length }) => length)).toEqual([32, 32]);
  expect(statements.flat()).toEqual(Array.from({ length: 64 }, (_, index) => String(index)));
  const few = openFake();
  await Promise.all(Array.from({ length: 17 }, (_, index) => few.write(String(index))));
  expect(few.statements.map(({ length }) => length)).toEqual([16, 1]);
});

test('The next batch is written before the callers of the last batch are answered', async () => {
  const steps: string[] = [];
  const writer = openBatchWriter<string>({
    weigh: () => 1,
    async write(rows) {
      // About as many microtasks as a pool with a free connection takes.
      for (let hops = 0; hops < 10; hops += 1) await Promise.resolve();
      steps.push(`wrote ${rows.join()}`);
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  const write = (row: string) => writer.write(row).then(() => steps.push(`told ${row}`));
  const first = write('a');
  await turn();
  await Promise.all([first, write('b'), write('c')]);
  expect(steps).toEqual(['wrote a', 'wrote b,c', 'told a', 'told b', 'told c']);
});

test('A bad row fails only its own caller', async () => {
  const { write } = openFake((rows) => (rows.includes('bad') ? new Error('too long') : undefined));
  expect(await settled(['a', 'b', 'bad', 'c'].map(write))).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});

test.each([
  ['An unreachable database', { code: 'ECONNREFUSED' }],
  ['A full disk of the database', { code: 'ER_RECORD_FILE_FULL', errno: 1114 }],
])('%s fails all callers of a batch at once', async (_, reason) => {
  const away = Object.assign(new Error('away'), reason);
  const { statements, write } = openFake(() => away);
  expect(await settled(['a', 'b', 'c'].map(write))).toEqual(['rejected', 'rejected', 'rejected']);
  expect(statements).toHaveLength(1);
});

test('A batch that meets a deadlock is tried again', async () => {
  const deadlock = Object.assign(new Error('deadlock'), { errno: 1213 });
  const { statements, write } = openFake((_, turn) => (turn < 3 ? deadlock : undefined));
  expect(await settled([write('a')])).toEqual(['fulfilled']);
  expect(statements).toEqual([['a'], ['a'], ['a']]);
});

test('A batch whose commit is unknown is not written again', async () => {
  const { statements, write } = openFake(() => new CommitUnknown(new Error('cut')));
  expect(await settled(['a', 'b', 'c'].map(write))).toEqual(['rejected', 'rejected', 'rejected']);
  expect(statements).toEqual([['a', 'b', 'c']]);
});

test('Each caller gets the result of its own row', async () => {
  const writer = openBatchWriter<string, string>({
    weigh: () => 1,
    write: (rows) => Promise.resolve(rows.map((row) => `${row}!`)),
  });
  expect(await Promise.all(['a', 'b', 'c'].map((row) => writer.write(row)))).toEqual(['a!', 'b!', 'c!']);
});

test('Rows that arrive in the turn in which the database answers join the next batch', async () => {
  const { statements, write } = openFake();
  const first = write('a');
  await turn();
  const second = write('b');
  // The answer to the first statement and this callback belong to the same turn of the event loop.
  setImmediate(() => void write('c'));
  await Promise.all([first, second]);
  expect(statements).toEqual([['a'], ['b', 'c']]);
});
