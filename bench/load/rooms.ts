/** Socket load from its own process: many clients in one room, the next message when all have the last. */
import { io, type Socket } from 'socket.io-client';
import type { Measurement } from '../harness/benchmark';
import { measured } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';

export interface RoomLoad extends Shape {
  readonly options: { readonly port: number; readonly clients: number };
  readonly ready: null;
  readonly order: { readonly milliseconds: number };
  /** A unit is one delivery; latencies are from sending to the last client's receipt. */
  readonly report: Measurement;
}

function connectTo(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = io(`http://127.0.0.1:${port}`, {
      path: '/ws',
      addTrailingSlash: false,
      transports: ['websocket'],
      forceNew: true,
    });
    socket.once('connect', () => resolve(socket));
    socket.once('connect_error', reject);
  });
}

program<RoomLoad>(async ({ port, clients }) => {
  const sockets = await Promise.all(Array.from({ length: clients }, () => connectTo(port)));
  let received = 0;
  let everyoneHasIt: () => void = () => {};
  for (const socket of sockets) {
    socket.on('event', () => {
      received += 1;
      if (received % clients === 0) everyoneHasIt();
    });
  }
  const send = () =>
    new Promise<void>((resolve) => {
      everyoneHasIt = resolve;
      sockets[0]!.emit('go');
    });
  return {
    ready: null,
    async run({ milliseconds }) {
      const took: number[] = [];
      const began = performance.now();
      for (let now = began; now < began + milliseconds; now = performance.now()) {
        await send();
        took.push(performance.now() - now);
      }
      const elapsed = performance.now() - began;
      const { figures } = measured(took, elapsed);
      return { units: took.length * clients, figures: { ...figures, rate: figures['rate']! * clients } };
    },
  };
});
