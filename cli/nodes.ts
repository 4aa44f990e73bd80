/** Asks the nodes of this machine whether they are ready. */
import type { Config } from '../config';
import { exchangeHttp } from '../src/kernel/outbound/http-exchange';

export interface NodeStatus {
  readonly url: string;
  readonly status: 'ready' | 'not ready' | 'not answering';
  /** The node's own name. */
  readonly name: string | null;
}

const DEADLINE_MS = 2500;
const MAX_BYTES = 64 * 1024;

/** Node i listens on PORT + i − 1. Nodes of other machines are unknown here. */
export function lookAtNodes(config: Config): Promise<NodeStatus[]> {
  if (config.port === 0) return Promise.resolve([]);
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  const urls = Array.from({ length: config.nodes }, (_, index) => `http://${host}:${config.port + index}`);
  return Promise.all(urls.map(lookAtNode));
}

async function lookAtNode(url: string): Promise<NodeStatus> {
  try {
    const call = { method: 'GET', deadlineMs: DEADLINE_MS };
    const { status, text } = await exchangeHttp(new URL('/readyz', url), call, { agent: false, maxBytes: MAX_BYTES });
    const { node } = JSON.parse(text) as { node?: unknown };
    // Another program listens on that port.
    if (typeof node !== 'string') return { url, status: 'not answering', name: null };
    return { url, status: status === 200 ? 'ready' : 'not ready', name: node };
  } catch {
    return { url, status: 'not answering', name: null };
  }
}
