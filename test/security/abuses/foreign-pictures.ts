/** Links pictures of other servers that are not pictures, never end, or are inside the network. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PNG } from '../../support/pictures';
import type { Abuse, Target } from '../abuse';
import { Counters } from '../flood';

const AT_ONCE = 40;
const HOSTILE = 'hostile.example';
const HTML = '<!doctype html><script>alert(1)</script>';
const PICTURE = { 'content-type': 'image/png' };

function neverEnd(response: ServerResponse): void {
  response.writeHead(200, PICTURE).write(PNG);
  const more = () => void (response.destroyed || response.write(Buffer.alloc(65_536), more));
  more();
}

/** The responses of the hostile server, by the first part of the path. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  disguised: (response) => void response.writeHead(200, PICTURE).end(HTML),
  endless: neverEnd,
  silent: () => {},
  inside: (response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
};

function openHostileServer(): Promise<Server> {
  const server = createServer((request, response) => ANSWERS[request.url!.split('/')[1]!]?.(response));
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Each is new, because the result for a known address is cached. */
const addressesOf = ({ port }: AddressInfo): readonly ((at: number) => string)[] => [
  ...Object.keys(ANSWERS).map((kind) => (at: number) => `http://${HOSTILE}:${port}/${kind}/${at}.png`),
  (at) => `http://10.0.0.1/${at}.png`,
  (at) => `http://[::1]:${port}/${at}.png`,
];

/** Zero if the connection broke. */
async function statusOf(target: Target, path: string, headers = {}): Promise<number> {
  try {
    const response = await fetch(target.url + path, { headers });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

export const foreignPictures: Abuse = {
  name: 'foreign-pictures',
  summary:
    'A member has the node fetch pictures that are HTML, endless, silent or inside the network, and forges HMACs.',
  environment: { OUTBOUND_NETWORKS: '127.0.0.1', OUTBOUND_HOSTS: `${HOSTILE}=127.0.0.1` },
  async run(target, signal) {
    const headers = await target.basic('member@example.com');
    const server = await openHostileServer();
    const addresses = addressesOf(server.address() as AddressInfo);
    const counters = new Counters();
    let made = 0;
    const ask = async () => {
      while (!signal.aborted) {
        const at = (made += 1);
        const url = addresses[at % addresses.length]!(at);
        const forged = `/external_content/${'0'.repeat(64)}/${Buffer.from(url).toString('hex')}`;
        if (![403, 0].includes(await statusOf(target, forged))) throw new Error(`a forged address was taken: ${url}`);
        const status = await statusOf(target, `/thumbnail?url=${encodeURIComponent(url)}&size=full`, headers);
        if (status === 200) throw new Error(`what is no picture was shown: ${url}`);
        counters.add(String(status));
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, ask));
    } finally {
      server.closeAllConnections();
      server.close();
    }
    return counters.counts;
  },
};
