/** What both socket servers do with a client: put it into the room, and send to the room when it asks. */
import type { Server, Socket } from 'socket.io';
import { EVENT } from './payload';

export const ROOM = 'bench';

/** The server is known only after it was opened with this. */
export function roomSession(server: () => Server): (socket: Socket) => void {
  return (socket) => {
    void socket.join(ROOM);
    socket.on('go', () => server().to(ROOM).emit('event', EVENT));
  };
}
