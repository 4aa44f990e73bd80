/** A message to everyone in a room, compared with bare Socket.IO and its Redis adapter. */
import { cpuOf, P50, P99, pairsByName, RATE, type Side, type Suite } from '../harness/benchmark';
import { startProgram } from '../harness/children';
import { watchProcess } from '../harness/watch';
import type { RoomLoad } from '../load/rooms';
import type { BareRooms } from '../programs/bare/rooms';
import type { Rooms } from '../programs/rooms';

const CLIENTS = 200;

export const roomsSuite: Suite = {
  benchmarks: [
    {
      name: 'rooms',
      about: `the kernel's sockets: 1.2 KB to a room of ${CLIENTS} clients, the next when all have the last`,
      limit: 'bare Socket.IO with the Redis adapter, the same clients',
      unit: 'delivery',
      figures: [RATE, P50, P99, cpuOf('server')],
    },
  ],
  async open({ redisUrl, environment, redis }) {
    const [bare, own] = await Promise.all([
      startProgram<BareRooms>('programs/bare/rooms', { redisUrl, key: `${environment['NAMESPACE']}:bare` }),
      startProgram<Rooms>('programs/rooms', { environment }),
    ]);
    const towards = async (server: { pid: number; ready: { port: number } }): Promise<Side> => {
      const load = await startProgram<RoomLoad>('load/rooms', { port: server.ready.port, clients: CLIENTS });
      return {
        watched: [watchProcess('server', server), redis, watchProcess('load', load)],
        run: (milliseconds) => load.run({ milliseconds }),
      };
    };
    return pairsByName({ rooms: { limit: await towards(bare), ours: await towards(own) } });
  },
};
