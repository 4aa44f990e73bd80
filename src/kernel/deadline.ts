/** Deadlines for promises and callbacks. A timer never outlives the work that it limits. */
export class DeadlineExceeded extends Error {
  constructor(what: string, milliseconds: number) {
    super(`${what} did not answer within ${milliseconds} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/**
 * Calls back when the time is over; the returned function cancels that. Input that has arrived by then is read first: a
 * process that was suspended must not blame its own delay on somebody else.
 */
export function afterDeadline(milliseconds: number, late: () => void): () => void {
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    reading = setImmediate(late);
  }, milliseconds);
  return () => {
    clearTimeout(timer);
    clearImmediate(reading);
  };
}

export function withDeadline<T>(what: string, milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const callOff = afterDeadline(milliseconds, () => reject(new DeadlineExceeded(what, milliseconds)));
    work.then(
      (value) => {
        callOff();
        resolve(value);
      },
      (error: Error) => {
        callOff();
        reject(error);
      },
    );
  });
}

/** Waits until the work settles, but no longer than this. */
export function settledWithin(milliseconds: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(finish, finish);
  });
}

/** Resolves to true after the full time, or to false as soon as the signal aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false);
    const finish = (whole: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(whole);
    };
    const onAbort = () => finish(false);
    const timer = setTimeout(() => finish(true), milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
