/** A cluster whose workers push to a push service in the test process, and devices of the demo organisation's users. */
import { callerOf, type Caller } from './people';
import { talker, type Talker } from './room';
import { openCluster, type Cluster, type Environment, type TestNode } from '../kernel/cluster';
import { startWorkers } from '../kernel/workers';
import { ownDevice, PUSHING, type OwnDevice } from '../pushing';
import { openPushService, type PushService } from '../servers/push-service';
import { until } from '../until';

export interface PushStage {
  readonly cluster: Cluster;
  readonly node: TestNode;
  readonly service: PushService;
  readonly owner: Talker;
  readonly member: Talker;
  readonly other: Talker;
  /** A new device of a user that signs in with a key. */
  subscribe(who: Pick<Talker, 'post'>): Promise<OwnDevice>;
  /** Waits until everything that was sent until now was looked at, and nothing waits for a device. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export async function openPushStage(environment: Environment = {}): Promise<PushStage> {
  const service = await openPushService();
  const cluster = await openCluster({ ...PUSHING, PUBLIC_URL: 'https://chat.example.org', ...environment });
  await cluster.seed();
  const node = await cluster.node();
  await startWorkers(cluster, 'chat-missed-messages', 'chat-push', 'chat-read-marks');
  const { mysql } = node.kernel;
  return {
    cluster,
    node,
    service,
    owner: await talker(node, 'owner@example.com'),
    member: await talker(node, 'member@example.com'),
    other: await talker(node, 'other@example.com'),
    async subscribe(who) {
      const device = service.device();
      const { body } = await who.post('/push_devices', device.address);
      return ownDevice(device, body.device_id as number);
    },
    async settled() {
      await until(
        async () => {
          const [{ head }] = (await mysql('chat_messages').max({ head: 'id' })) as [{ head: number }];
          const [{ noted }] = (await mysql('chat_missed_cursors').max({ noted: 'noted_id' })) as [
            { noted: number | null },
          ];
          const mails = await mysql('kernel_mail')
            .whereIn('mailbox', ['chat-push', 'chat-read-marks'])
            .where({ state: 'pending' });
          return { behind: Math.max(0, head - (noted ?? 0)), mails: mails.length };
        },
        ({ behind, mails }) => behind + mails === 0,
      );
    },
    async close() {
      await cluster.close();
      await service.close();
    },
  };
}

export const settingsOf = async (stage: PushStage, who: Talker, form: Record<string, string>): Promise<void> => {
  const caller: Caller = await callerOf(stage.node, who.email);
  expect((await caller.patch('/settings/notifications', form)).status).toBe(200);
};
