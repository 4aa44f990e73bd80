import { Gate, type GateRule } from '../../../../src/kernel/admission/gate';

function held() {
  let release = () => {};
  const work = jest.fn(() => new Promise<void>((resolve) => (release = resolve)));
  return { work, release: () => release() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const RULE: GateRule = { atOnce: 1, callerAtOnce: 1, waiting: 10, callerWaiting: 10, waitMs: 60_000 };
const from = (caller: string, address = 'here', isGone = false) => ({ caller, address, isGone: () => isGone });
const LATER = { kind: 'unavailable', headers: { 'Retry-After': expect.stringMatching(/^[1-5]$/) } };

/** Admits all callers in turn; returns who was admitted, and who was refused. */
async function play(rule: Partial<GateRule>, parties: readonly ReturnType<typeof from>[]) {
  const gate = new Gate({ ...RULE, ...rule });
  const served: string[] = [];
  const refused: string[] = [];
  const first = held();
  const open = gate.through(from('first', 'elsewhere'), first.work);
  const all = parties.map((party) =>
    gate
      .through(party, () => Promise.resolve(void served.push(party.caller)))
      .catch(() => void refused.push(party.caller)),
  );
  await settle();
  first.release();
  await Promise.all([open, ...all]);
  return { served, refused };
}

test('A gate admits a limited number of callers, and the next in order of arrival when one leaves', async () => {
  const gate = new Gate(RULE);
  const [first, second, third] = [held(), held(), held()];
  const all = [first, second, third].map(({ work }) => gate.through(from('one'), work));
  await settle();
  expect([first, second, third].map(({ work }) => work.mock.calls.length)).toEqual([1, 0, 0]);
  first.release();
  await settle();
  expect([second, third].map(({ work }) => work.mock.calls.length)).toEqual([1, 0]);
  second.release();
  await settle();
  third.release();
  await Promise.all(all);
});

test('Work that fails frees its place for the next caller', async () => {
  const gate = new Gate(RULE);
  await expect(gate.through(from('one'), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(gate.through(from('one'), () => Promise.resolve('in'))).resolves.toBe('in');
});

test.each([
  ['the line is full', { waiting: 0 }],
  ["the caller's own line is full", { callerWaiting: 0 }],
  ['nobody leaves in time', { waitMs: 20 }],
])('A caller is refused with a Retry-After header where %s', async (_, rule) => {
  const gate = new Gate({ ...RULE, ...rule });
  const inside = held();
  const first = gate.through(from('one'), inside.work);
  await expect(gate.through(from('one'), () => Promise.resolve())).rejects.toMatchObject(LATER);
  inside.release();
  await first;
});

test('Requests of one caller wait behind each other, and other callers go in between', async () => {
  const parties = [from('crowd'), from('crowd'), from('crowd'), from('other'), from('third')];
  const { served } = await play({}, parties);
  expect(served).toEqual(['crowd', 'other', 'third', 'crowd', 'crowd']);
});

test('Callers of a crowded address wait behind each other, not before other addresses', async () => {
  const crowd = Array.from({ length: 6 }, (_, at) => from(`guest ${at}`, 'crowded'));
  const { served } = await play({}, [...crowd, from('other', 'quiet')]);
  expect(served.indexOf('other')).toBeLessThan(2);
  expect(served).toHaveLength(7);
});

test('A caller never gets more than its own places, even if others are free', async () => {
  const gate = new Gate({ ...RULE, atOnce: 3, callerAtOnce: 2 });
  const [one, two, three, other] = [held(), held(), held(), held()];
  const all = [one, two, three].map(({ work }) => gate.through(from('crowd'), work));
  all.push(gate.through(from('other'), other.work));
  await settle();
  expect([one, two, three, other].map(({ work }) => work.mock.calls.length)).toEqual([1, 1, 0, 1]);
  one.release();
  await settle();
  for (const each of [two, three, other]) each.release();
  await Promise.all(all);
});

test('A full queue makes room for a new caller by refusing the last request of the busiest one', async () => {
  const crowd = Array.from({ length: 5 }, () => from('crowd'));
  const { served, refused } = await play({ waiting: 5 }, [...crowd, from('other')]);
  expect(refused).toEqual(['crowd']);
  expect(served).toEqual(['crowd', 'other', 'crowd', 'crowd', 'crowd']);
});

test('No work is done for a client that has gone while it waited', async () => {
  const { served, refused } = await play({}, [from('gone', 'here', true), from('here')]);
  expect([served, refused]).toEqual([['here'], ['gone']]);
});

test('A gate that counts by address refuses at the fullest address, or the busiest caller of its own', async () => {
  const crowd = Array.from({ length: 4 }, (_, at) => from(`guest ${at}`, 'crowded'));
  const rule = { waiting: 4, crowd: 'address', refusedAtOnce: Infinity } as const;
  const quiet = await play(rule, [...crowd, from('other', 'quiet')]);
  expect(quiet.refused).toEqual([expect.stringMatching(/^guest/)]);
  const own = [from('many', 'crowded'), from('many', 'crowded'), from('many', 'crowded'), from('one', 'crowded')];
  expect((await play(rule, [...own, from('new', 'crowded')])).refused).toEqual(['many']);
  expect((await play(rule, [...crowd, from('new', 'crowded')])).refused).toEqual(['new']);
});

test('A refused caller gets the error of the rule, at once if the rule says so', async () => {
  const refusal = (waiting: number) => new Error(`${waiting} wait`);
  const gate = new Gate({ atOnce: 1, waiting: 1, refusal, refusedAtOnce: Infinity });
  const inside = held();
  const all = [gate.through(from('one'), inside.work), gate.through(from('one'), () => Promise.resolve())];
  await expect(gate.through(from('one'), () => Promise.resolve())).rejects.toThrow('1 wait');
  inside.release();
  await Promise.all(all);
});

test('Closing a gate refuses callers that wait, and lets those inside finish', async () => {
  const gate = new Gate(RULE);
  const inside = held();
  const first = gate.through(from('one'), inside.work);
  const refused = gate.through(from('one'), () => Promise.resolve()).catch((error: Error) => error.message);
  gate.close(new Error('closed'));
  expect(await refused).toBe('closed');
  inside.release();
  await first;
});
