/** One member reads the longest history, with thirty concurrent requests. */
import type { Abuse } from '../abuse';
import { askAlways, READ_ALL, sayMuch } from '../flood';

let headers = { Authorization: '' };

export const hugeReads: Abuse = {
  name: 'huge-reads',
  summary: 'Thirty connections of one member read 5,000 messages of 80 KB each, again and again.',
  environment: { RATE_LIMIT: 'off' },
  async prepare(target) {
    headers = await sayMuch(target);
  },
  run: (target, signal) => askAlways(target, signal, { path: READ_ALL, connections: 30, headers }),
};
