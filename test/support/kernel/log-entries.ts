/** The contents of a tenant's log in Redis. */
import type { Tenant } from '../../../src/kernel/actor/address';
import { logInRedis } from '../../../src/kernel/event-log/sources';
import type { Kernel } from '../../../src/kernel/kernel';

/** Each event after the number as `number body`, the oldest first. */
export async function entriesOf(kernel: Kernel, tenant: Tenant, after = 0): Promise<string[]> {
  const { events } = await logInRedis(kernel, tenant).after(after);
  return events.map(({ number, body }) => `${number} ${body}`);
}
