/** Sweep over organisations with the same people and messages, each message for one person. */
import { CONTENT, pollHead, registerQueues } from '../benchmarks/queues';
import { startProgram } from '../harness/children';
import type { Sweep } from '../harness/sweep';
import { watchProcess } from '../harness/watch';
import type { LettersLoad } from '../load/letters';
import { formRequest } from '../load/sender';
import type { MeasuredNode } from '../programs/node';
import { openTenants, ROOT_DOMAIN } from './tenant-crowd';

const PEOPLE = 2000;
const OUTSTANDING = 8;
const MIB = 1024 * 1024;

export const tenantsSweep: Sweep = {
  name: 'growth-tenants',
  about: `${PEOPLE} waiting polls spread over the organisations, ${OUTSTANDING} messages outstanding, each for one of them`,
  across: 'organisations',
  unit: 'message',
  points: [1, 10, 100, 500, 1000, 2000],
  quickPoints: [1, 20],
  async open(bench, tenants) {
    const people = await openTenants(bench, tenants, PEOPLE);
    const node = await startProgram<MeasuredNode>('programs/node', {
      ...bench.environment,
      EVENTS_RATE_LIMIT: '60:100000000',
      PUBLIC_URL: `http://${ROOT_DOMAIN}`,
      PORT: '0',
    });
    const { port } = node.ready;
    const queues = await registerQueues(port, people);
    const load = await startProgram<LettersLoad>('load/letters', {
      polls: queues.map(({ person, id }) => ({ port, head: pollHead(person), queueId: id })),
      sends: queues.map(({ person }) =>
        formRequest(
          '/api/v1/messages',
          person.authorization,
          // Everybody has their own stream, named after their id.
          { type: 'stream', to: String(person.id), topic: 'benchmarks', content: CONTENT },
          person.host,
        ),
      ),
      port,
      concurrency: OUTSTANDING,
    });
    // A person's first send looks up the person, organisation and stream. That is not what grows, so it is warmed up.
    await load.run({ count: PEOPLE });
    const { residentBytes } = await node.run('memory');
    return {
      watched: [watchProcess('server', node), bench.redis, ...bench.mariadb, watchProcess('load', load)],
      async run(milliseconds) {
        const { units, figures } = await load.run({ milliseconds });
        return { units, figures: { ...figures, 'resident MiB': residentBytes / MIB } };
      },
    };
  },
};
