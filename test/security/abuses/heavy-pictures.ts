/** Uploads avatars of a few kilobytes that have the largest allowed number of pixels. */
import { bomb } from '../../support/pictures';
import type { Abuse } from '../abuse';
import { askAlways } from '../flood';

const SIDE = 7000;
const EDGE = 'edge';
const PART = `--${EDGE}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;

let headers = {};
let body = Buffer.alloc(0);

export const heavyPictures: Abuse = {
  name: 'heavy-pictures',
  summary: 'Thirty connections of one member upload avatars of 49 million pixels each, in 6 KB.',
  environment: { RATE_LIMIT: 'off' },
  async prepare(target) {
    headers = {
      ...(await target.basic('member@example.com')),
      'Content-Type': `multipart/form-data; boundary=${EDGE}`,
    };
    body = Buffer.concat([Buffer.from(PART), bomb(SIDE, SIDE), Buffer.from(`\r\n--${EDGE}--\r\n`)]);
  },
  run: (target, signal) =>
    askAlways(target, signal, { connections: 30, method: 'POST', path: '/api/v1/users/me/avatar', headers, body }),
};
