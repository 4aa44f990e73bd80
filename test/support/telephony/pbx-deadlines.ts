/** Deadlines that a test ends by itself. All others are so long that only hanging calls exceed them. */
import { setMaxListeners } from 'node:events';
import { PbxError, type PbxDriver } from '../../../src/telephony/actors/pbx-instance/driver';
import type { PbxDrivers } from '../../../src/telephony/actors/pbx-instance/drivers';
import type { Telephony } from '../../../src/telephony/parts';
import type { Environment } from '../kernel/cluster';

/** For stacks in which no process dies, on any machine. */
export const PATIENT: Environment = {
  PBX_CALL_MS: '60000',
  PBX_OPERATION_MS: '120000',
  LEASE_MS: '60000',
  JOB_LOCK_MS: '60000',
};

/** An end that any number of calls wait for. */
function newEnd(): AbortController {
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  return end;
}

/** Of calls to PBXs. */
export interface CallDeadlines {
  /** Current and future calls to this PBX are not answered in time. */
  end(instance: string): void;
  /** Future calls have their full time again. */
  renew(instance: string): void;
}

export function ownCallDeadlines(drivers: PbxDrivers): CallDeadlines {
  const ends = new Map<string, AbortController>();
  const endOf = (instance: string): AbortController => {
    const known = ends.get(instance) ?? newEnd();
    ends.set(instance, known);
    return known;
  };
  const of = drivers.of.bind(drivers);
  drivers.of = (instance) => limited(of(instance), () => endOf(instance.uuid).signal);
  return {
    end: (instance) => endOf(instance).abort(),
    renew: (instance) => void ends.delete(instance),
  };
}

const limited = (driver: PbxDriver, end: () => AbortSignal): PbxDriver =>
  new Proxy(driver, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, given);
        return answer instanceof Promise ? unlessEnded(answer, end()) : answer;
      };
    },
  });

function unlessEnded<T>(answer: Promise<T>, end: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new PbxError('silent', 'The PBX did not answer in time'));
    if (end.aborted) late();
    end.addEventListener('abort', late);
    answer.finally(() => end.removeEventListener('abort', late)).then(resolve, reject);
  });
}

/** Deadlines of clients that wait for their orders. The returned function ends the current waits. */
export function ownPatience({ answers }: Pick<Telephony, 'answers'>): () => void {
  let end = newEnd();
  const wait = answers.wait.bind(answers);
  answers.wait = (id, deadlineMs, calledOff) =>
    wait(id, deadlineMs, AbortSignal.any([end.signal, ...(calledOff ? [calledOff] : [])]));
  return () => {
    end.abort();
    end = newEnd();
  };
}
