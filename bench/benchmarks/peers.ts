/**
 * Events to a thousand clients, compared with existing servers: ejabberd and Prosody, with as many XMPP clients in one
 * room. They keep connections open and store nothing; we answer polls, and commit a message before anybody gets it.
 */
import { join } from 'node:path';
import { startEjabberd } from '../peers/ejabberd';
import { startProsody } from '../peers/prosody';
import { cpuOf, pairsByName, RATE, type Benchmark, type Side, type Suite } from '../harness/benchmark';
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

const nameOf = (peer: string, outstanding: number): string => `peers-${peer}-${outstanding}`;

const benchmarkOf = (peer: string, outstanding: number): Benchmark => ({
  name: nameOf(peer, outstanding),
  about: `${CLIENTS} clients hear each message, ${outstanding} outstanding`,
  limit: `${peer}, a room of ${CLIENTS}, nothing kept`,
  unit: 'delivery',
  figures: [
    RATE,
    cpuOf('server'),
    { name: 'to the last, p50', from: 'last p50', unit: 'ms' },
    { name: 'to the last, p95', from: 'last p95', unit: 'ms' },
  ],
});

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
  benchmarks: Object.keys(PEERS).flatMap((peer) => OUTSTANDING.map((outstanding) => benchmarkOf(peer, outstanding))),
  async open(bench) {
    const crowd = await openCrowd(bench);
    const people = crowd.people.slice(0, CLIENTS);
    await crowd.stream('thousand', CLIENTS);
    const node = await startNode(bench, COUNTED);
    const queues = await registerQueues(node.port, people);
    const waiting = await startProgram<PollersLoad>('load/pollers', {
      polls: queues.map(({ person, id }) => ({ port: node.port, head: pollHead(person), queueId: id })),
      sends: messagesTo('thousand', people),
      sendPorts: Array.from({ length: SENDERS }, () => node.port),
    });
    const ours = (outstanding: number): Side => ({
      watched: [watchProcess('server', node), bench.redis, ...bench.mariadb, watchProcess('load', waiting)],
      run: (milliseconds) => waiting.run({ kind: 'outstanding', milliseconds, outstanding }),
    });
    const pairs = Object.keys(PEERS).map(async (peer) => {
      const limit = await besideUs(peer);
      return OUTSTANDING.map(
        (outstanding) => [nameOf(peer, outstanding), { limit: limit(outstanding), ours: ours(outstanding) }] as const,
      );
    });
    return pairsByName(Object.fromEntries((await Promise.all(pairs)).flat()));
  },
};
