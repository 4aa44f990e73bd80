/** Texting with workers that push to a push service in the test process, and browsers of the demo companies' people. */
import { pageOf, type TestPage } from '../http/pages';
import { startWorkers } from '../kernel/workers';
import type { Environment } from '../kernel/cluster';
import { ownDevice, PUSHING, type OwnDevice } from '../pushing';
import { openPushService, type PushService } from '../servers/push-service';
import { until } from '../until';
import { openTexting, type Texting } from './texting';

export interface PortalPushes extends Texting {
  readonly service: PushService;
  /** Signs a contact in, with a new session. */
  enter(contactId: string): Promise<TestPage>;
  /** Turns pushes on for a new browser of that session. */
  subscribe(page: TestPage, language?: string): Promise<OwnDevice>;
  /** Waits until nothing waits for a device or a company. */
  settled(): Promise<void>;
  /** Nothing is pushed until the test says so, however long its steps take. */
  rest(): Promise<void>;
  /** Waits until so many pieces of news wait for the end of the device's rest. */
  waiting(device: OwnDevice, count: number): Promise<void>;
  wakeUp(): Promise<void>;
}

export const DEVICES = '/portal/api/push-devices';

export async function openPortalPushes(more: Environment = {}): Promise<PortalPushes> {
  const service = await openPushService();
  const texting = await openTexting({ ...PUSHING, LOGIN_LIMIT: 'off', SWEEP_AFTER_MS: '300', ...more });
  const { cluster, node, kernel } = texting;
  const { mysql } = kernel;
  const devices = () => mysql('tel_push_subscriptions');
  const mail = () => mysql('kernel_mail').where({ mailbox: 'portal-push', state: 'pending' });
  const pending = async () => (await mail()).length;
  await startWorkers(cluster, 'portal-push', 'texting-inbound');
  return {
    ...texting,
    service,
    enter: async (contactId) => pageOf(await node.call('/portal/api/session', { json: { demo: contactId } })),
    async subscribe(page, language = 'en') {
      const device = service.device();
      const { body } = await page.call(node, DEVICES, { json: { ...device.address, language } });
      return ownDevice(device, body.device_id as number);
    },
    async settled() {
      await until(async () => (await pending()) === 0);
    },
    async rest() {
      await devices().update({ pushed_at: mysql.raw('NOW(3) + INTERVAL 1 HOUR') });
    },
    async waiting({ id }, count) {
      await until(async () => {
        const put = mail().where({ address: String(id) });
        const bodies = (await put.whereRaw('due_at > NOW(3) + INTERVAL 1 MINUTE').pluck('body')) as string[];
        return bodies.flatMap((body) => (JSON.parse(body) as { news: object[] }).news).length === count;
      });
    },
    async wakeUp() {
      await devices().update({ pushed_at: null });
      await until(async () => {
        // Again, because a turn that has seen a device rest may end only now. Long due: so a sweep finds it.
        await mail().update({ due_at: mysql.raw('NOW(3) - INTERVAL 1 MINUTE') });
        return (await pending()) === 0;
      });
    },
    async close() {
      await cluster.close();
      await service.close();
    },
  };
}
