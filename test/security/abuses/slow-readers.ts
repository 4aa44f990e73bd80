/** One member requests large responses and does not read them. */
import type { Abuse } from '../abuse';
import { connectAlways, READ_ALL, sayMuch } from '../flood';
import { getRequest } from '../unread-client';

let headers = { Authorization: '' };

export const slowReaders: Abuse = {
  name: 'slow-readers',
  summary: 'A hundred connections of one member ask for large answers, ten each, and read nothing.',
  environment: { RATE_LIMIT: 'off' },
  async prepare(target) {
    headers = await sayMuch(target);
  },
  run: (target, signal) =>
    connectAlways(target, signal, {
      connections: 100,
      use(socket, counters) {
        socket.pause();
        socket.write(getRequest(READ_ALL, headers).repeat(10));
        counters.add('unread requests');
        // It would see the end only by reading, which it does not do: it disconnects after a while and connects again.
        socket.setTimeout(40_000, () => socket.destroy());
      },
    }),
};
