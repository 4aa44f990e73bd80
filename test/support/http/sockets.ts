/** Real Socket.IO clients of every version for tests: each records everything that it receives, in order. */
import { io as connect4, type Socket } from 'socket.io-client';
import { PATIENCE_MS, until } from '../until';

/** What the tests need of a client; the versions agree on it. */
interface AnySocket {
  readonly connected: boolean;
  on(name: string, listener: (...args: never[]) => void): unknown;
  emit(name: string, ...args: unknown[]): unknown;
  close(): unknown;
}

export type Version = 'v2' | 'v3' | 'v4';
export type Transport = 'websocket' | 'polling';

type Connect = (url: string, options: object) => Socket;
const connects: Readonly<Record<Version, Connect>> = {
  v2: require('socket.io-client-v2') as Connect,
  v3: (require('socket.io-client-v3') as { io: Connect }).io,
  v4: connect4,
};

export interface Heard {
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into events of every shape
  readonly args: any[];
}

export interface TestSocket {
  readonly raw: AnySocket;
  /** Every event of the server in order, including connection events. */
  readonly heard: Heard[];
  /** Those of a name. */
  named(name: string): Heard[];
  /** Waits for an event of this name, already received or not; returns its arguments. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  next(name: string, count?: number): Promise<any[]>;
  emit(name: string, ...args: unknown[]): void;
  /** Emits and waits for the acknowledgement. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  ask(name: string, payload?: unknown): Promise<any>;
  readonly ended: boolean;
  close(): void;
}

export interface SocketOptions {
  readonly version?: Version;
  readonly transport?: Transport;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const open = new Set<AnySocket>();

/** A client that does not reconnect by itself. */
export function openSocket(url: string, options: SocketOptions = {}): TestSocket {
  const { version = 'v4', transport = 'websocket', path = '/ws/', headers } = options;
  const raw: AnySocket = connects[version](url, {
    path,
    transports: [transport],
    forceNew: true,
    reconnection: false,
    timeout: PATIENCE_MS,
    ...(headers ? { extraHeaders: headers, transportOptions: { polling: { extraHeaders: headers } } } : {}),
  });
  open.add(raw);
  const heard: Heard[] = [];
  let ended = false;
  raw.on('disconnect', (...args: never[]) => {
    ended = true;
    heard.push({ name: 'disconnect', args });
  });
  for (const name of ['connect', 'connect_error']) {
    raw.on(name, (...args: never[]) => void heard.push({ name, args }));
  }
  listenToAll(raw, (name, args) => heard.push({ name, args }));
  const named = (name: string) => heard.filter((each) => each.name === name);
  return {
    raw,
    heard,
    named,
    next: async (name, count = 1) => {
      await until(
        () => heard.map((each) => each.name),
        (names) => names.filter((each) => each === name).length >= count,
      );
      return named(name)[count - 1]!.args;
    },
    emit: (name, ...args) => void raw.emit(name, ...args),
    ask: (name, payload) => new Promise((resolve) => raw.emit(name, payload, resolve)),
    get ended() {
      return ended;
    },
    close: () => {
      open.delete(raw);
      raw.close();
    },
  };
}

/** Version 2 has no catch-all handler; all of its events pass through this method. */
function listenToAll(raw: AnySocket, hear: (name: string, args: unknown[]) => void): void {
  const socket = raw as AnySocket & { onAny?(listener: (name: string, ...args: unknown[]) => void): void };
  if (socket.onAny) {
    socket.onAny((name, ...args) => hear(name, args));
    return;
  }
  const old = raw as unknown as { onevent(packet: { data: [string, ...unknown[]] }): void };
  const onevent = old.onevent.bind(raw);
  old.onevent = (packet) => {
    const [name, ...args] = packet.data;
    hear(name, args);
    onevent(packet);
  };
}

/** Connects and authenticates; throws if it is refused. */
export async function enter(url: string, credentials: object, options?: SocketOptions): Promise<TestSocket> {
  const socket = openSocket(url, options);
  socket.emit('authenticate', credentials);
  await until(
    () => socket.heard.map(({ name }) => name),
    (names) => names.some((name) => ['authenticated', 'unauthorized', 'connect_error', 'disconnect'].includes(name)),
  );
  if (socket.named('authenticated').length === 0) throw new Error(JSON.stringify(socket.heard));
  return socket;
}

/** The company events that a socket received: names and, where there are any, numbers. */
export const receivedBy = (socket: TestSocket): Heard[] =>
  socket.heard.filter(({ name }) => name.startsWith('texting.') || name === 'user_status_updated');

export function closeSockets(): void {
  for (const socket of open) socket.close();
  open.clear();
}
