/** Devices of a test's push service, as the tests of both products use them. */
import type { Environment } from './kernel/cluster';
import type { Pushed, TestDevice } from './servers/push-service';
import { until } from './until';

export interface OwnDevice extends TestDevice {
  readonly id: number;
  /** Waits until this many pushes have arrived; the last one. */
  got(count: number): Promise<Pushed>;
}

export const PUSHING: Environment = { OUTBOUND_NETWORKS: '127.0.0.1', RATE_LIMIT: 'off', PUSH_PAUSE_MS: '20' };

export const ownDevice = (device: TestDevice, id: number): OwnDevice => ({
  ...device,
  id,
  async got(count) {
    await until(
      () => device.pushes.length,
      (length) => length >= count,
    );
    return device.pushes.at(-1)!;
  },
});
