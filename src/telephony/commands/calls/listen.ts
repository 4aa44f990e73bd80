/** Listens to each PBX that can be listened to, in one of the worker processes; another takes over if that one dies. */
import type { Consumer } from '../../../kernel/jobs/consume';
import { defineJob } from '../../../kernel/jobs/job';
import type { Found } from '../../../kernel/jobs/sweeper';
import type { Kernel } from '../../../kernel/kernel';
import { takeLong } from '../../../kernel/mailbox/long-lease';
import type { Telephony } from '../../parts';
import { LISTENED_BACKENDS } from '../../model/sites/backends';
import * as sites from '../../store/sites/sites';
import { PbxListener, type ListenerParts } from './pbx-listener';

type Parts = ListenerParts &
  Pick<Kernel, 'lifecycle' | 'pause' | 'transaction'> & { readonly settings: Telephony['settings'] } & Pick<
    Telephony,
    'drivers'
  >;

const LEASE = 'pbx-listener';
/** Few at a time, so that the next round of another process gets some too. */
const MAX_AT_ONCE = 10;
const LOOK_MS = 1000;

/** Nothing wakes it: each sweep looks for PBXs that nobody listens to. */
export function listenToPbxs(parts: Parts): Consumer<null> {
  const own = new Map<string, { readonly listener: PbxListener; readonly over: Promise<void> }>();
  parts.lifecycle.on('listeners', LEASE, async () => {
    for (const { listener } of own.values()) listener.stop();
    await Promise.all([...own.values()].map(({ over }) => over));
  });

  async function begin(uuid: string): Promise<void> {
    const { draining } = parts.lifecycle;
    if (own.has(uuid) || draining.aborted) return;
    const instance = await sites.instanceByUuid(parts.mysql, uuid);
    const side = instance && parts.drivers.callsOf(instance);
    if (!side) return;
    const lease = await takeLong(parts, `${LEASE}/${uuid}`);
    if (!lease) return;
    const listener = new PbxListener(parts, lease, instance, side);
    if (draining.aborted) listener.stop();
    const over = listener.run().finally(() => own.delete(uuid));
    own.set(uuid, { listener, over });
  }

  return {
    job: defineJob<null>('pbx-listeners'),
    concurrency: 1,
    sweeps: () => [
      {
        name: LEASE,
        everyMs: Math.min(LOOK_MS, parts.settings.leaseMs / 3),
        find: (db) => [sites.unheld(db, LISTENED_BACKENDS, LEASE).limit(MAX_AT_ONCE)],
        found: async (rows: readonly Found[]) => {
          for (const { address } of rows) await begin(address);
        },
      },
    ],
    run: () => Promise.resolve(),
  };
}
