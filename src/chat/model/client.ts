/** The client program of a request, from its User-Agent. */

export interface Client {
  readonly name: string;
  /** Empty if there is none. */
  readonly version: string;
}

/** As in Zulip: the name is the words up to a digit, slash or bracket; the version follows a slash. */
export function clientOf(userAgent: string): Client {
  const match = /^([^/\s]+(?:\s+[^\d/(\s][^/(\s]*)*)(?:\/(\S+))?/.exec(userAgent.trim());
  return { name: match?.[1] ?? 'Unspecified', version: match?.[2] ?? '' };
}

/** Whether the client is older than its minimum version; `*` rejects every version. */
export function isIncompatible(client: Client, minimum: Readonly<Record<string, string>>): boolean {
  const oldest = minimum[client.name];
  if (oldest === undefined) return false;
  return oldest === '*' || compareVersions(client.version, oldest) < 0;
}

function compareVersions(a: string, b: string): number {
  const parts = (version: string) => version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [left, right] = [parts(a), parts(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
