// The example of a Sentinel's configuration that the documents point to.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { startSentinel } from '../support/sentinels';
import { ownDirectory } from '../support/services';

test('A Sentinel takes deploy/sentinel.conf and watches the primary that it names', async () => {
  const own = ownDirectory();
  const example = readFileSync(join(__dirname, '../../deploy/sentinel.conf'), 'utf8').split('\n');
  const sentinel = await startSentinel(own.path, example);
  const operator = new Redis({ port: sentinel.port, password: 'password-of-the-sentinels' });
  expect(await operator.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main')).toEqual(['10.0.0.1', '6379']);
  operator.disconnect();
  await sentinel.kill();
  own.remove();
});
