/** Sweep over waiting polls on one process, all of which get every message. */
import { setTimeout as wait } from 'node:timers/promises';
import { messagesTo, pollHead, registerQueues } from '../benchmarks/queues';
import { startProgram } from '../harness/children';
import { openCrowd } from '../harness/crowd';
import type { Sweep } from '../harness/sweep';
import { watchProcess } from '../harness/watch';
import type { PollersLoad } from '../load/pollers';
import type { MeasuredNode } from '../programs/node';

const SENDERS = 8;
const SETTLE_MS = 1000;
const KIB = 1024;

export const pollsSweep: Sweep = {
  name: 'growth-polls',
  about: 'one process, one message outstanding, which all polls hear',
  across: 'waiting polls',
  unit: 'delivery',
  // The last is as many as a file limit of 20,000 allows.
  points: [10, 100, 1000, 5000, 10_000, 19_500],
  quickPoints: [10, 200],
  async open(bench, polls) {
    const crowd = await openCrowd(bench);
    const people = crowd.people.slice(0, polls);
    const stream = `polls ${polls}`;
    await crowd.stream(stream, people.length);
    const node = await startProgram<MeasuredNode>('programs/node', {
      ...bench.environment,
      EVENTS_RATE_LIMIT: '60:100000000',
      PORT: '0',
    });
    const { port } = node.ready;
    const queues = await registerQueues(
      port,
      Array.from({ length: polls }, (_, at) => people[at % people.length]!),
    );
    const before = await node.run('memory');
    const load = await startProgram<PollersLoad>('load/pollers', {
      polls: queues.map(({ person, id }) => ({ port, head: pollHead(person), queueId: id })),
      sends: messagesTo(stream, people),
      sendPorts: Array.from({ length: SENDERS }, () => port),
    });
    await wait(SETTLE_MS, undefined, { signal: bench.signal });
    const after = await node.run('memory');
    const memory = {
      'resident MiB': after.residentBytes / KIB / KIB,
      'KiB per poll': (after.residentBytes - before.residentBytes) / KIB / polls,
    };
    return {
      watched: [watchProcess('server', node), bench.redis, ...bench.mariadb, watchProcess('load', load)],
      async run(milliseconds) {
        const { units, figures } = await load.run({ kind: 'outstanding', milliseconds, outstanding: 1 });
        return { units, figures: { ...figures, ...memory } };
      },
    };
  },
};
