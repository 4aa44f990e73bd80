/** The texting socket's entry point on a node, and what its sessions share. */
import type { Kernel, Storage } from '../../kernel/kernel';
import type { Keyspace } from '../../kernel/redis/connections';
import type { SocketSession } from '../../kernel/socket/server';
import type { SocketEntrySettings } from '../model/socket-settings';
import { Attempts } from './attempts';
import { Feeds } from './feeds';
import { PresenceReports } from './presence-reports';
import { Session } from './session';

type Parts = Storage & Keyspace & Pick<Kernel, 'changes' | 'keys' | 'lifecycle' | 'log' | 'settings' | 'socketEvents'>;

export interface SocketContext {
  readonly kernel: Storage & Pick<Kernel, 'changes' | 'keys' | 'log' | 'settings'>;
  readonly settings: SocketEntrySettings;
  readonly feeds: Feeds;
  readonly presence: PresenceReports;
  readonly attempts: Attempts;
  /** The number of sockets per key on this node. */
  readonly keys: Map<string, number>;
}

export function textingSocket(kernel: Parts, settings: SocketEntrySettings): SocketSession {
  const context: SocketContext = {
    kernel,
    settings,
    feeds: new Feeds(kernel, settings),
    presence: new PresenceReports(kernel, settings),
    attempts: new Attempts(kernel, settings.socketAuthLimit),
    keys: new Map(),
  };
  context.presence.open();
  return (socket, from) => void new Session(context, socket, from);
}
