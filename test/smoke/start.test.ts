// A short test of `npm start`. test/start/ kills its processes and damages its data.
import { isAlive } from '../../scripts/lib/processes';
import { clientOf } from '../support/http/client';
import { allGone, newGround, pidFiles, pidOf, run, whenReady } from '../start/started-stack';

test('The command npm start serves both products on two nodes, and Ctrl-C leaves nothing behind', async () => {
  const ground = await newGround();
  const started = run('npm', ['start'], ground.env);
  await whenReady(started);
  const names = pidFiles(ground);
  const pids = names.map((name) => pidOf(ground, name));
  expect(names).toEqual(['mariadb', 'node-1', 'node-2', 'pbx', 'redis', 'supervisor', 'worker-1']);
  expect(pids.every(isAlive)).toBe(true);
  for (const port of [ground.port, ground.port + 1]) {
    const node = clientOf(`http://127.0.0.1:${port}`);
    const owner = await node.basic('owner@example.com');
    expect((await node.call('/api/v1/users/me', { headers: owner })).status).toBe(200);
    const headers = { Authorization: 'Bearer demo-key-one', 'X-User-Id': 'primary' };
    expect((await node.call('/system/company', { headers })).body).toMatchObject({ name: 'Example Telecom' });
  }
  // A terminal signals the whole group.
  process.kill(-(started.process.pid ?? 0), 'SIGINT');
  await started.exit;
  expect(await allGone(pids, 90_000)).toBe(true);
  expect(pidFiles(ground)).toEqual([]);
});
