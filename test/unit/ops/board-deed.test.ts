import { boardDeed } from '../../../src/ops/model/board-deed';

test.each([
  ['PUT', '/api/queues/pause', ['pause', 'every queue', null]],
  ['PUT', '/api/queues/chat-webhooks/pause', ['pause', 'chat-webhooks', null]],
  ['PUT', '/api/queues/chat-webhooks/resume', ['resume', 'chat-webhooks', null]],
  ['PUT', '/api/queues/a%20b/bot-1/retry', ['retry', 'jobs a b:bot-1', 1]],
  ['PUT', '/api/queues/work/n-1/clean', ['discard', 'jobs work:n-1', 1]],
  ['PUT', '/api/queues/work/n-1/promote', ['promote', 'jobs work:n-1', 1]],
  ['PUT', '/api/queues/work/retry/failed', ['retry', 'jobs work:* failed', null]],
  ['PUT', '/api/queues/work/clean/completed', ['discard', 'jobs work:* completed', null]],
  ['PUT', '/api/queues/work/empty', ['discard', 'jobs work:*', null]],
  ['PUT', '/api/queues/work/promote', ['promote', 'jobs work:*', null]],
  ['PUT', '/api/queues/work/obliterate', ['obliterate', 'work', null]],
  ['PUT', '/api/queues/w%zz/pause', ['pause', 'w%zz', null]],
  ['PUT', '/api/queues/work/job-schedulers/s/run', ['board', 'PUT /api/queues/work/job-schedulers/s/run', null]],
  ['POST', '/api/metrics/history/purge', ['board', 'POST /api/metrics/history/purge', null]],
])('%s %s is remembered as the command line would', (method, path, [action, target, count]) => {
  expect(boardDeed(method, path)).toEqual({ action, target, count });
});
