/** Unknown host names, all different, short and long. */
import { flood } from '../../support/http/flood';
import type { Abuse } from '../abuse';

const LONG = 'x'.repeat(14_000);

export const hostNames: Abuse = {
  name: 'host-names',
  summary: 'A stranger asks for ever new host names, of up to 14 KB each.',
  run: (target, signal) =>
    flood({ port: target.port, connections: 50 }, (at) =>
      signal.aborted
        ? undefined
        : { path: '/api/v1/server_settings', headers: { Host: at % 2 === 0 ? `${at}.${LONG}` : `host-${at}.test` } },
    ),
};
