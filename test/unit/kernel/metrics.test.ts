import perfHooks from 'node:perf_hooks';
import { openMetrics } from '../../../src/kernel/metrics';

const linesOf = async (metrics: ReturnType<typeof openMetrics>, word: string): Promise<string[]> =>
  (await metrics.registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('partyline_http_request_seconds') && line.includes(word));

test('Requests are counted by their labels, each in the buckets it is below', async () => {
  const metrics = openMetrics('n');
  const labels = { product: '/', route: '/x', method: 'GET', status: 200 };
  for (const seconds of [0.0005, 0.001, 0.02, 0.02, 100]) metrics.request(labels, seconds);
  metrics.request({ ...labels, status: 500 }, 0.02);
  const bucketOf = async (le: string) =>
    (await linesOf(metrics, `le="${le}"`)).map((line) => Number(line.split(' ')[1]));
  expect(await bucketOf('0.001')).toEqual([2, 0]);
  expect(await bucketOf('0.025')).toEqual([4, 1]);
  expect(await bucketOf('60')).toEqual([4, 1]);
  expect(await bucketOf('+Inf')).toEqual([5, 1]);
  const [sum = ''] = await linesOf(metrics, '_sum');
  expect(Number(sum.split(' ')[1])).toBeCloseTo(100.0415);
  expect(await linesOf(metrics, '_count')).toEqual([
    'partyline_http_request_seconds_count{node="n",product="/",route="/x",method="GET",status="200"} 5',
    'partyline_http_request_seconds_count{node="n",product="/",route="/x",method="GET",status="500"} 1',
  ]);
});

test('Requests that wait by design are counted by their labels, each once however often metrics are read', async () => {
  const metrics = openMetrics('n');
  const labels = { product: '/', route: '/events', method: 'GET', status: 200 };
  const countsOf = async () =>
    (await metrics.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('partyline_http_held'))
      .map((line) => [/status="(\d+)"/.exec(line)?.[1], Number(line.split(' ')[1])]);
  metrics.heldRequest(labels);
  metrics.heldRequest({ ...labels });
  metrics.heldRequest({ ...labels, status: 429 });
  expect(await countsOf()).toEqual([
    ['200', 2],
    ['429', 1],
  ]);
  metrics.heldRequest(labels);
  expect(await countsOf()).toEqual([
    ['200', 3],
    ['429', 1],
  ]);
  expect(await linesOf(metrics, '/events')).toEqual([]);
});

test('A counter counts by its labels, and asking for it again returns the same one', async () => {
  const metrics = openMetrics('n');
  const count = () => metrics.counter('partyline_things_total', 'Things', ['kind']);
  count()({ kind: 'a' });
  count()({ kind: 'a' });
  count()({ kind: 'b' });
  const lines = (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('partyline_things'));
  expect(lines).toEqual(['partyline_things_total{kind="a",node="n"} 2', 'partyline_things_total{kind="b",node="n"} 1']);
});

test('What observes the process is begun once for all kernels, each of which shows it under its own name', async () => {
  const first = openMetrics('one');
  const begun = jest.spyOn(perfHooks, 'monitorEventLoopDelay');
  const others = [openMetrics('two'), openMetrics('three')];
  expect(begun).not.toHaveBeenCalled();
  for (const [index, { registry }] of [first, ...others].entries()) {
    const text = await registry.metrics();
    const name = ['one', 'two', 'three'][index];
    expect(text).toMatch(new RegExp(`^process_cpu_user_seconds_total{node="${name}"} `, 'm'));
    expect(text).toMatch(new RegExp(`^nodejs_eventloop_lag_seconds{node="${name}"} `, 'm'));
  }
});
