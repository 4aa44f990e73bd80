/** Logins with names of 120 KB, all different. */
import { FORM, flood } from '../../support/http/flood';
import type { Abuse } from '../abuse';

const LONG = 'n'.repeat(120_000);

export const loginNames: Abuse = {
  name: 'login-names',
  summary: 'A stranger logs in under ever new names of 120 KB each.',
  run: (target, signal) =>
    flood({ port: target.port, connections: 50 }, (at) =>
      signal.aborted
        ? undefined
        : {
            method: 'POST',
            path: '/api/v1/fetch_api_key',
            headers: FORM,
            body: `username=${LONG}${at}%40example.com&password=guess`,
          },
    ),
};
