// Redis behind three Sentinels: its primary is killed, and frozen, under load; another server takes over.
import { cliOf } from '../../api/cli/run';
import { NAME, signal, startSentinels, type Sentinels } from '../../support/servers/sentinels';
import { killAll } from '../../support/processes/processes';
import { ownDirectory } from '../../support/servers/services';
import { expectAll, measure } from './failover-checks';
import { FailoverLoad } from './failover-load';

/** `npm run faults` has more of each. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? '1');

jest.setTimeout(900_000 + ROUNDS * 60_000);

const own = ownDirectory();
let sentinels: Sentinels;
let load: FailoverLoad;

beforeAll(async () => {
  sentinels = await startSentinels(own.path);
  load = await FailoverLoad.open(sentinels.environment);
});
afterAll(async () => {
  await load.close();
  await killAll();
  await sentinels.close();
  own.remove();
});

test('The command line finds the primary through Sentinels', async () => {
  const { code, json } = await cliOf(load.environment)(['status', '--json']);
  const places = sentinels.ports.map((port) => `127.0.0.1:${port}`).join(',');
  expect(json.redis).toMatchObject({ ok: true, address: `${places} (Sentinels of ${NAME})` });
  expect(code).toBe(0);
});

test('A primary killed with writes that no replica has: nothing acknowledged is lost, polls and sockets go on within 5 s', async () => {
  const recovery = [];
  await sentinels.hasReplicas(1);
  load.start();
  for (let round = 0; round < ROUNDS; round += 1) {
    const primary = await sentinels.primary();
    const reconnect = await sentinels.cutReplicas();
    await load.send('messages', `only on the primary ${round}`);
    const finishLaid = await load.layJobs([1, 2, 3].map((each) => `laid ${round}.${each}`));
    const promotion = sentinels.promotion();
    await primary.kill();
    await reconnect();
    recovery.push(await measure(load, await promotion));
    expect(await finishLaid()).toEqual([1, 2, 3].map((each) => `laid ${round}.${each}`));
    await sentinels.revive(primary);
    if (round + 1 < ROUNDS) await sentinels.hasReplicas(2);
  }
  await expectAll(load, 'Redis primary killed, its last writes lost', recovery);
});

test('A primary frozen and thawed again: nothing acknowledged is lost, polls and sockets go on within 5 s', async () => {
  const recovery = [];
  await sentinels.hasReplicas(1);
  load.start();
  for (let round = 0; round < ROUNDS; round += 1) {
    const primary = await sentinels.primary();
    const promotion = sentinels.promotion();
    signal(primary.pid, 'SIGSTOP');
    recovery.push(await measure(load, await promotion));
    // It still acts as the primary, until a Sentinel tells it otherwise.
    signal(primary.pid, 'SIGCONT');
    await sentinels.hasReplicas(1);
  }
  await expectAll(load, 'Redis primary frozen, then back', recovery);
});
