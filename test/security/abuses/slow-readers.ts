/** One member asks for large answers and reads nothing of them. */
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
      use(socket, tally) {
        socket.pause();
        socket.write(getRequest(READ_ALL, headers).repeat(10));
        tally.add('unread requests');
        // Its end can only be seen by reading on, which it does not: it goes after a while and comes again.
        socket.setTimeout(40_000, () => socket.destroy());
      },
    }),
};
