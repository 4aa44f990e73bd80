/** One guest registers event queues over more connections than a node has slots. */
import type { Abuse } from '../abuse';
import { askAlways } from '../flood';

export const registerCrowd: Abuse = {
  name: 'register-crowd',
  summary: 'One guest registers event queues over 550 connections.',
  async run(target, signal) {
    const headers = { ...(await target.basic('guest@example.com')), 'Content-Length': '0' };
    return askAlways(target, signal, { path: '/api/v1/register', method: 'POST', connections: 550, headers });
  },
};
