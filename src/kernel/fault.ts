/** The one error class. A fault has a kind; only a wire format knows which status number the kind becomes. */
export type FaultKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'wrong-method'
  | 'conflict'
  | 'gone'
  | 'too-large'
  | 'unsupported'
  | 'too-many'
  | 'upstream'
  | 'unavailable'
  /** Nobody knows whether the work was done. */
  | 'timeout'
  | 'internal';

export interface FaultDetails {
  /** A stable name that programs may compare against. */
  readonly code?: string;
  /** More facts for the client, sent in the response. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Kinds that report a failure of the server, and so record a stack. The others are ordinary answers and need none. */
const TRACED: ReadonlySet<FaultKind> = new Set(['upstream', 'unavailable', 'timeout', 'internal']);

export class Fault extends Error {
  readonly kind: FaultKind;
  readonly code: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: FaultKind, message: string, details: FaultDetails = {}) {
    // Recording a stack costs more than everything else here, and `ensure` makes many faults that are never thrown.
    const { stackTraceLimit } = Error;
    if (!TRACED.has(kind)) Error.stackTraceLimit = 0;
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Fault';
    this.kind = kind;
    this.code = details.code;
    this.fields = details.fields ?? {};
    this.headers = details.headers ?? {};
  }
}

export function ensure(condition: boolean, fault: Fault): asserts condition {
  if (!condition) throw fault;
}

/** A fault as a worker sends it back to the caller. */
export interface FaultRecord {
  readonly kind: FaultKind;
  readonly message: string;
  readonly code?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export function recordFault(fault: Fault): FaultRecord {
  const { kind, message, code, fields } = fault;
  return code === undefined ? { kind, message, fields } : { kind, message, code, fields };
}

export function restoreFault({ kind, message, code, fields }: FaultRecord): Fault {
  return new Fault(kind, message, { ...(code === undefined ? {} : { code }), ...(fields ? { fields } : {}) });
}
