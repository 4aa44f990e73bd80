/** Another worker or tenant comes first. This is no failure: the job is delayed, and no attempt is counted. */
export class Busy extends Error {
  /** The delay, with some jitter. */
  readonly retryMs: number;

  constructor(message: string, retryMs = 100) {
    super(message);
    this.name = 'Busy';
    this.retryMs = retryMs;
  }
}
