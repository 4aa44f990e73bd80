/** Bogus logins, 280 at any moment, each for another account: hashing their passwords would take a node minutes. */
import { FORM, flood } from '../../support/http/flood';
import type { Abuse } from '../abuse';

export const loginStarvation: Abuse = {
  name: 'login-starvation',
  summary: '280 bogus logins at once, each for another account.',
  // Otherwise the limit per address ends the abuse after 300 of them.
  environment: { LOGIN_LIMIT: 'off' },
  run: (target, signal) =>
    flood({ port: target.port, connections: 280 }, (at) =>
      signal.aborted
        ? undefined
        : {
            method: 'POST',
            path: '/api/v1/fetch_api_key',
            headers: FORM,
            body: `username=nobody-${at}%40example.com&password=guess`,
          },
    ),
};
