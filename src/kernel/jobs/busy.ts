/** Somebody else comes first. No failure: the job comes back later, and no attempt is counted. */
export class Busy extends Error {
  /** How much later, more or less. */
  readonly retryMs: number;

  constructor(message: string, retryMs = 100) {
    super(message);
    this.name = 'Busy';
    this.retryMs = retryMs;
  }
}
