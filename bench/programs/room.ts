/** What both socket servers do with a client: join the room, and send to it on request. */
import type { Server, Socket } from 'socket.io';
import { EVENT } from './payload';

export const ROOM = 'bench';

/** A function, because the server exists only after it was opened with this session. */
export function roomSession(server: () => Server): (socket: Socket) => void {
  return (socket) => {
    void socket.join(ROOM);
    socket.on('go', () => server().to(ROOM).emit('event', EVENT));
  };
}
