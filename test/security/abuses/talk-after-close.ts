/** Connections that announce their close with a poll that waits, and go on sending. */
import type { Abuse } from '../abuse';
import { connectAlways } from '../flood';

const MORE = Buffer.alloc(65_536, 'x');

export const talkAfterClose: Abuse = {
  name: 'talk-after-close',
  summary: '200 connections send without end behind a poll with Connection: close.',
  async run(target, signal) {
    const headers = await target.basic('guest@example.com');
    const registered = await target.call('/api/v1/register', { form: { event_types: '["pointer"]' }, headers });
    const path = `/api/v1/events?queue_id=${registered.body.queue_id}&last_event_id=-1`;
    const lines = [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: ${headers.Authorization}`];
    return connectAlways(target, signal, {
      connections: 200,
      use(socket) {
        socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
        const send = () => {
          while (!socket.destroyed && socket.write(MORE));
        };
        socket.on('drain', send);
        send();
      },
    });
  },
};
