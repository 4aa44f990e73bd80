import { byNeed } from '../../../web/console/work/work-queue-order';

test('Work queues with dead letters come first, then those with waiting work, each by name', () => {
  const workQueues = [
    { name: 'mails', dead: 0, waiting: 0 },
    { name: 'orders', dead: 0, waiting: 9 },
    { name: 'jobs', dead: 0, waiting: 1 },
    { name: 'webhooks', dead: 1, waiting: 0 },
    { name: 'exports', dead: 3, waiting: 0 },
    { name: 'carriers', dead: 0, waiting: 0 },
  ];
  expect(byNeed(workQueues).map(({ name }) => name)).toEqual([
    'exports',
    'webhooks',
    'jobs',
    'orders',
    'carriers',
    'mails',
  ]);
});
