/** Which requests the access log shows. */
import { Writable } from 'node:stream';
import pino from 'pino';
import { openAccessLog, type ObservedRequest } from '../../../../src/kernel/http/access-log';
import { openMetrics } from '../../../../src/kernel/metrics';

const REQUEST: Omit<ObservedRequest, 'isFrequent'> = {
  requestId: 'r',
  method: 'GET',
  shownPath: '/events',
  product: '/api/v1',
  route: '/events',
  began: 0,
};

function linesAt(level: string, isFrequent: boolean, status: number): number {
  let lines = 0;
  const sink = new Writable({ write: (_chunk, _encoding, done) => (lines++, done()) });
  const accessLog = openAccessLog({ log: pino({ level }, sink), metrics: openMetrics('n') });
  accessLog.note({ ...REQUEST, isFrequent }, status);
  return lines;
}

test.each([
  ['an ordinary request', false, 200, [1, 1]],
  ['a frequent request that is answered', true, 200, [0, 1]],
  ['a frequent request that is refused', true, 429, [1, 1]],
  ['a frequent request whose client left', true, 499, [1, 1]],
])('The log level decides whether the access log has a line for %s', (_, isFrequent, status, lines) => {
  expect([linesAt('info', isFrequent, status), linesAt('debug', isFrequent, status)]).toEqual(lines);
});
