/** Whether only programs of the same machine reach what listens on an address. */
import { isIPv4 } from 'node:net';

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
