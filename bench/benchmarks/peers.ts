/**
 * Events to a thousand clients, compared with existing servers: ejabberd and Prosody, with as many XMPP clients in one
 * room. They store nothing; we commit a message before anybody gets it, over event streams and in answers to polls.
 */
import { join } from 'node:path';
import { startEjabberd } from '../peers/ejabberd';
import { startProsody } from '../peers/prosody';
import { cpuOf, pairsByName, RATE, type Benchmark, type Side, type Suite, type Target } from '../harness/benchmark';
import { endWithOthers, startProgram } from '../harness/children';
import { openCrowd } from '../harness/crowd';
import { startNode } from '../harness/node-process';
import { watchProcess } from '../harness/watch';
import type { OccupantsLoad } from '../load/occupants';
import type { PollersLoad } from '../load/pollers';
import { messagesTo, pollHead, registerQueues } from './queues';

const CLIENTS = 1000;
const SENDERS = 8;
/** Makes a stanza as long as one of our message events, 1.2 KB. */
const BODY = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. '.repeat(19);
const COUNTED = { RATE_LIMIT: '60:200', EVENTS_RATE_LIMIT: '60:100000000' };

type Peer = Awaited<ReturnType<typeof startEjabberd>>;
const PEERS: Readonly<Record<string, (options: { dir: string }) => Promise<Peer>>> = {
  ejabberd: startEjabberd,
  prosody: startProsody,
};
const OUTSTANDING = [1, 8];
/** How our clients wait. */
const WAYS = ['streams', 'polls'] as const;

interface Comparison {
  readonly peer: string;
  readonly way: (typeof WAYS)[number];
  readonly outstanding: number;
}

const COMPARISONS: readonly Comparison[] = Object.keys(PEERS).flatMap((peer) =>
  WAYS.flatMap((way) => OUTSTANDING.map((outstanding) => ({ peer, way, outstanding }))),
);

const nameOf = ({ peer, way, outstanding }: Comparison): string =>
  ['peers', peer, ...(way === 'streams' ? [way] : []), outstanding].join('-');

const ratio = (is: Target['is'], value: number): { target: Target } => ({ target: { of: 'ratio', is, value } });

/** ejabberd uses both cores, a node one. */
function targetsOf({ peer, way, outstanding }: Comparison): { rate: object; cpu: object } {
  if (peer !== 'ejabberd' || way !== 'streams') return { rate: {}, cpu: {} };
  return outstanding === 1
    ? { rate: ratio('at least', 1.25), cpu: ratio('at most', 0.6) }
    : { rate: ratio('at least', 4), cpu: {} };
}

function benchmarkOf(comparison: Comparison): Benchmark {
  const { peer, way, outstanding } = comparison;
  const { rate, cpu } = targetsOf(comparison);
  return {
    name: nameOf(comparison),
    about: `${CLIENTS} clients hear each message by ${way}, ${outstanding} outstanding`,
    limit: `${peer}, a room of ${CLIENTS}, nothing kept`,
    unit: 'delivery',
    figures: [
      { ...RATE, ...rate },
      { ...cpuOf('server'), ...cpu },
      { name: 'to the last, p50', from: 'last p50', unit: 'ms' },
      { name: 'to the last, p95', from: 'last p95', unit: 'ms' },
    ],
  };
}

async function besideUs(name: string): Promise<(outstanding: number) => Side> {
  const directory = process.env['BENCH_RUN_DIR'];
  if (directory === undefined) throw new Error('BENCH_RUN_DIR is unset: use "npm run bench"');
  const peer = await PEERS[name]!({ dir: join(directory, name) });
  endWithOthers(peer);
  const load = await startProgram<OccupantsLoad>('load/occupants', {
    port: peer.port,
    occupants: CLIENTS,
    speakers: SENDERS,
    body: BODY,
  });
  console.log(`${name} ${peer.version} is up`);
  return (outstanding) => ({
    watched: [watchProcess('server', peer), watchProcess('load', load)],
    run: (milliseconds) => load.run({ milliseconds, outstanding }),
  });
}

export const peersSuite: Suite = {
  benchmarks: COMPARISONS.map(benchmarkOf),
  async open(bench) {
    const crowd = await openCrowd(bench);
    const node = await startNode(bench, COUNTED);

    /** Those who wait in one way have a stream of their own. */
    async function waitBy(way: Comparison['way'], first: number): Promise<(outstanding: number) => Side> {
      await crowd.stream(way, CLIENTS, first);
      const people = crowd.people.slice(first, first + CLIENTS);
      const queues = await registerQueues(node.port, people);
      const isStream = way === 'streams';
      const waiting = await startProgram<PollersLoad>('load/pollers', {
        polls: queues.map(({ person, id }) => ({ port: node.port, head: pollHead(person), queueId: id, isStream })),
        sends: messagesTo(way, people),
        sendPorts: Array.from({ length: SENDERS }, () => node.port),
      });
      return (outstanding) => ({
        watched: [watchProcess('server', node), bench.redis, ...bench.mariadb, watchProcess('load', waiting)],
        run: (milliseconds) => waiting.run({ kind: 'outstanding', milliseconds, outstanding }),
      });
    }

    const ours = { streams: await waitBy('streams', 0), polls: await waitBy('polls', CLIENTS) };
    const peers = Object.keys(PEERS).map(async (peer) => [peer, await besideUs(peer)] as const);
    const limits = Object.fromEntries(await Promise.all(peers));
    return pairsByName(
      Object.fromEntries(
        COMPARISONS.map((each) => {
          const { peer, way, outstanding } = each;
          return [nameOf(each), { limit: limits[peer]!(outstanding), ours: ours[way](outstanding) }];
        }),
      ),
    );
  },
};
