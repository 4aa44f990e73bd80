/** The shared address of both ends of a bare BullMQ queue. */

export interface QueueAddress {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly name: string;
}

export function connectionOf(redisUrl: string) {
  const { hostname, port, username, password, pathname } = new URL(redisUrl);
  return {
    host: hostname,
    port: Number(port || 6379),
    db: Number(pathname.slice(1) || 0),
    maxRetriesPerRequest: null,
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  };
}
