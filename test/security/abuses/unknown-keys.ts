/** Unknown keys, in both products: each would be looked up in the database. */
import { randomBytes } from 'node:crypto';
import { basicHeader, bearer } from '../../support/http/client';
import { flood } from '../../support/http/flood';
import type { Abuse } from '../abuse';

const key = () => randomBytes(16).toString('hex');

export const unknownKeys: Abuse = {
  name: 'unknown-keys',
  summary: 'A stranger guesses keys of accounts, companies and carriers as fast as they are refused.',
  run: (target, signal) =>
    flood({ port: target.port, connections: 50 }, (at) => {
      if (signal.aborted) return undefined;
      if (at % 3 === 0) return { path: '/api/v1/users/me', headers: basicHeader('member@example.com', key()) };
      if (at % 3 === 1) return { path: '/system/company', headers: bearer(key()) };
      return { method: 'POST', path: `/webhooks/texting/simulated/${key()}`, body: '{}' };
    }),
};
