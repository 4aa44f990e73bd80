/** The benchmarks' job: answers with its input. */
import { defineJob } from '../../src/kernel/jobs/job';

export const echo = defineJob<number, number>('bench-echo', { attempts: 1, backoffMs: 1000 });
