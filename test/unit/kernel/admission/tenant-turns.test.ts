import { Gate } from '../../../../src/kernel/admission/gate';
import { TENANT_RULE } from '../../../../src/kernel/http/gates';

const settle = () => new Promise((resolve) => setImmediate(resolve));

const of = (tenant: string) => ({ caller: tenant, address: tenant });

/** Releases everything that still runs or waits, so that no timer outlives its test. */
let letGo = () => {};
afterEach(async () => {
  letGo();
  await settle();
});

/** Requests that run until they are released; returns those that have begun, in order. */
function open({ atOnce, ...rule }: { atOnce: number; callerWaiting?: number; heldMs?: number }) {
  let now = 0;
  const turns = new Gate({ ...TENANT_RULE, heldMs: 60_000, callerAtOnce: atOnce, ...rule }, () => now);
  const begun: string[] = [];
  const going = new Map<string, () => void>();
  let isOver = false;
  letGo = () => {
    isOver = true;
    for (const finish of going.values()) finish();
  };
  return {
    begun,
    turns,
    ask: (name: string): Promise<void> => {
      return turns.through(of(name[0]!), () => {
        begun.push(name);
        if (isOver) return Promise.resolve();
        return new Promise<void>((resolve) => going.set(name, resolve));
      });
    },
    finish: async (name: string): Promise<void> => {
      going.get(name)!();
      await settle();
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test('A tenant that is alone on a node runs all its requests concurrently', () => {
  const { ask, begun } = open({ atOnce: 1 });
  for (const name of ['a1', 'a2', 'a3']) void ask(name);
  expect(begun).toEqual(['a1', 'a2', 'a3']);
});

test("While another tenant sends requests, a tenant's excess requests wait in order, and the other is served", async () => {
  const { ask, begun, finish } = open({ atOnce: 2 });
  void ask('b1');
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void ask(name);
  void ask('b2');
  expect(begun).toEqual(['b1', 'a1', 'a2', 'b2']);
  await finish('a2');
  expect(begun.slice(4)).toEqual(['a3']);
  await finish('a1');
  await finish('a3');
  expect(begun.slice(4)).toEqual(['a3', 'a4', 'a5']);
});

test('A tenant without requests for a second does not limit others', () => {
  const { ask, begun, pass } = open({ atOnce: 1 });
  void ask('b1');
  void ask('a1');
  void ask('a2');
  expect(begun).toEqual(['b1', 'a1']);
  pass(1001);
  void ask('a3');
  expect(begun).toEqual(['b1', 'a1', 'a3']);
});

test('Two tenants share a node however many requests of one come between those of the other', () => {
  const { ask, begun } = open({ atOnce: 1 });
  for (const name of ['b1', 'a1', 'a2', 'c1', 'a3', 'c2']) void ask(name);
  expect(begun).toEqual(['b1', 'a1', 'c1']);
});

test('A slow request gives up its slot and is still answered', async () => {
  const { ask, begun, finish } = open({ atOnce: 1, heldMs: 20 });
  void ask('b1');
  const slow = ask('a1');
  const next = ask('a2');
  while (begun.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  await finish('a2');
  await next;
  await finish('a1');
  await expect(slow).resolves.toBeUndefined();
});

test('A failing request fails only for its caller and frees its slot', async () => {
  const { ask, turns, finish, begun } = open({ atOnce: 1 });
  void ask('b1');
  const broken = turns.through(of('a'), () => Promise.reject(new Error('broken')));
  const next = ask('a2');
  await expect(broken).rejects.toThrow('broken');
  await settle();
  expect(begun).toEqual(['b1', 'a2']);
  await finish('a2');
  await next;
});

test('A request beyond the waiting limit of its tenant is refused with Retry-After: 1', async () => {
  const { ask } = open({ atOnce: 1, callerWaiting: 1 });
  for (const name of ['b1', 'a1', 'a2']) void ask(name);
  await expect(ask('a3')).rejects.toMatchObject({
    kind: 'too-many',
    fields: { 'retry-after': 1 },
    headers: { 'Retry-After': '1' },
  });
});
