/** Recognises errors of a Redis that cannot serve at the moment. ioredis reports them only as text. */

/** These errors mean that Redis is unreachable or frozen, or takes no writes. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'MaxRetriesPerRequestError' ||
    /^(Command timed out|Connection is closed|Stream isn't writeable|LOADING|OOM|READONLY|MASTERDOWN)/.test(
      error.message,
    ) ||
    // It cannot save to its disk, which may be full. Older servers put this inside the error of a script.
    /\bMISCONF\b/.test(error.message) ||
    // The same for a cluster: a shard has no primary at the moment, or no node answers.
    /^(CLUSTERDOWN|TRYAGAIN|Cluster is|Too many Cluster redirections|None of startup nodes)/.test(error.message)
  );
}
