import type { Kernel } from '../../../src/kernel/kernel';
import { KamailioPools, kamailioPbx } from '../../../src/telephony/actors/pbx-instance/kamailio';
import type { Instance } from '../../../src/telephony/model/sites/site';

test('A Kamailio whose address has an unknown option is unhealthy, and its health says why', async () => {
  const instance = { uuid: 'a', address: 'mysql://db/kamailio?tls=1', details: {} } as unknown as Instance;
  const driver = kamailioPbx({} as Kernel, instance, new KamailioPools());
  const context = { deadlineMs: 1000 } as Parameters<typeof driver.list>[0];
  await expect(driver.list(context)).rejects.toMatchObject({ trouble: 'away' });
  expect(await driver.health(context)).toMatchObject({
    isWell: false,
    detail: 'The address of the PBX cannot be used',
  });
});
