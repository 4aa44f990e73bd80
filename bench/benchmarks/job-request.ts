/** Round trip of a request to a mailbox through a worker process, compared with bare BullMQ. */
import {
  cpuOf,
  P50,
  P99,
  pairsByName,
  RATE,
  type Benchmark,
  type Figure,
  type Pair,
  type Suite,
} from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { watchProcess } from '../harness/watch';
import type { JobRequest } from '../programs/job-request';
import type { BareJobRequest } from '../programs/bare/job-request';
import type { BareWorker } from '../programs/bare/worker';
import type { JobWorker } from '../programs/worker';

const WORKER_CONCURRENCY = 32;

const benchmarkOf = (concurrency: number, figures: readonly Figure[]): Benchmark => ({
  name: `job-request-${concurrency}`,
  about: `a request to a mailbox and its reply by a worker in another process, ${concurrency} at a time`,
  limit: `bare BullMQ add, process and finished event, ${concurrency} at a time`,
  unit: 'job',
  figures: [...figures, P99, cpuOf('requester'), cpuOf('worker'), cpuOf('redis')],
});

export const jobRequestSuite: Suite = {
  benchmarks: [
    // One worker should provision 500 extensions a second. The PBX is not part of this.
    benchmarkOf(32, [{ ...RATE, target: { of: 'ours', is: 'at least', value: 500 } }, P50]),
    benchmarkOf(1, [P50, RATE]),
  ],
  async open({ redisUrl, environment, redis, mariadb }) {
    const address = { redisUrl, prefix: `${environment['NAMESPACE']}-bare`, name: 'echo' };
    const [bareRequests, bareWorker, requests, worker] = await Promise.all([
      startProgram<BareJobRequest>('programs/bare/job-request', address),
      startProgram<BareWorker>('programs/bare/worker', { ...address, concurrency: WORKER_CONCURRENCY }),
      startProgram<JobRequest>('programs/job-request', { environment }),
      startProgram<JobWorker>('programs/worker', { environment, concurrency: WORKER_CONCURRENCY }),
    ]);
    const pairOf = (concurrency: number): Pair => ({
      limit: {
        watched: [watchProcess('requester', bareRequests), watchProcess('worker', bareWorker), redis],
        run: (milliseconds) => bareRequests.run({ concurrency, milliseconds }),
      },
      ours: {
        watched: [watchProcess('requester', requests), watchProcess('worker', worker), redis, ...mariadb],
        run: (milliseconds) => requests.run({ concurrency, milliseconds }),
      },
    });
    return pairsByName({ 'job-request-32': pairOf(32), 'job-request-1': pairOf(1) });
  },
};
