// Fault switches of the simulated PBX. An instance's own switch takes precedence over the one for all ("*").

const MODES = [
  'ok',
  'error',
  'hang',
  'reset',
  'garbage',
  'drop-after-apply',
  'half-apply',
  'only-say-yes',
  'trickle',
  'slow',
  'hold',
] as const;
const SLOW_MS = 1000;
const MAX_DELAY_MS = 600_000;

export type Mode = (typeof MODES)[number];

export interface Fault {
  instance: string;
  mode: Mode;
  /** How many more calls it hits; null means until it is changed. */
  times: number | null;
  delay_ms: number;
  /** Also hits the plain list, which is otherwise exempt so that a test can see what the PBX holds. */
  list: boolean;
  /** Does the work after the caller has hung up, as an overloaded PBX may: with `slow` if it has, with `hold` always. */
  late: boolean;
  /** Exempts calls that only read. */
  changes: boolean;
}

export interface Faults {
  /** Resolves when a fault is next set, also to `ok`. */
  readonly changed: Promise<void>;
  set(fault: Fault): void;
  all(): Fault[];
  /** The fault that hits this call, if any; counts it down. */
  strike(instance: string, isList: boolean, isRead?: boolean): Fault | undefined;
}

export function openFaults(): Faults {
  const faults = new Map<string, Fault>();
  let tellChange = () => {};
  const nextChange = () => new Promise<void>((resolve) => (tellChange = resolve));
  let changed = nextChange();
  return {
    get changed() {
      return changed;
    },
    set: (fault) => {
      tellChange();
      changed = nextChange();
      // Resetting all must not leave a single instance's fault behind.
      if (fault.instance === '*' && fault.mode === 'ok') faults.clear();
      else faults.set(fault.instance, fault);
    },
    all: () => [...faults.values()],
    strike: (instance, isList, isRead = isList) => {
      const fault = faults.get(instance) ?? faults.get('*');
      if (!fault || (isList && !fault.list) || (isRead && fault.changes)) return undefined;
      const hit = { ...fault };
      if (fault.times !== null && --fault.times <= 0) faults.delete(fault.instance);
      return hit.mode === 'ok' ? undefined : hit;
    },
  };
}

/** Reads the body of PUT /faults. Returns an error message if it is invalid. */
export function readFault(body: Record<string, unknown>, isInstance: (text: string) => boolean): Fault | string {
  const { instance, mode } = body;
  if (typeof instance !== 'string' || !(instance === '*' || isInstance(instance))) {
    return 'instance must be a uuid or "*"';
  }
  if (!isMode(mode)) return `mode must be one of ${MODES.join(', ')}`;
  const details = readDetails(body, mode === 'slow' ? SLOW_MS : 0);
  return typeof details === 'string' ? details : { instance: instance.toLowerCase(), mode, ...details };
}

function readDetails(body: Record<string, unknown>, usualDelay: number): Omit<Fault, 'instance' | 'mode'> | string {
  const { times = null, list = false, late = false, changes = false } = body;
  const delay = body['delay_ms'] ?? usualDelay;
  if (times !== null && !isWhole(times, 1, Number.MAX_SAFE_INTEGER)) return 'times must be a positive integer or null';
  if (!isWhole(delay, 0, MAX_DELAY_MS)) return `delay_ms must be an integer from 0 to ${MAX_DELAY_MS}`;
  if (typeof list !== 'boolean' || typeof late !== 'boolean' || typeof changes !== 'boolean') {
    return 'list, late and changes must be true or false';
  }
  return { times, delay_ms: delay, list, late, changes };
}

function isMode(value: unknown): value is Mode {
  return MODES.some((mode) => mode === value);
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}
