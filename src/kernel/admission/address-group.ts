/** Groups client addresses for rate limits: each group counts as one client. */
import { isIP } from 'node:net';

/** An IPv6 customer has at least 2^64 addresses, so a whole /64 network counts as one address. */
export function addressGroup(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  const [front = '', back] = ip.replace(/%.*$/, '').split('::');
  const first = front === '' ? [] : front.split(':');
  const last = back === undefined || back === '' ? [] : back.split(':');
  // A dotted IPv4 part stands for two groups.
  const given = first.length + last.length + (ip.includes('.') ? 1 : 0);
  const groups = [...first, ...Array<string>(Math.max(0, 8 - given)).fill('0'), ...last];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
