/** Requests avatars of users who do not exist, with paths as long as a request line may be. */
import { flood } from '../../support/http/flood';
import type { Abuse } from '../abuse';

const LONG = 'a'.repeat(14_000);
let headers = {};

export const avatarPaths: Abuse = {
  name: 'avatar-paths',
  summary: 'One account asks for the pictures of ever new addresses of 14 KB each.',
  async prepare(target) {
    headers = await target.basic('member@example.com');
  },
  run: (target, signal) =>
    flood({ port: target.port, connections: 50 }, (at) =>
      signal.aborted ? undefined : { path: `/avatar/${LONG}${at}`, headers },
    ),
};
