/** The structured log. Whatever could be a credential is censored, by its name or by its shape. */
import pino, { type Logger } from 'pino';
import { maskText } from './mask';
import { isSecretLogName } from './secret-names';

export type Log = Logger;

const CENSORED = '[secret]';
/** Names are looked for this far inside. */
const DEPTH = 3;

type Fields = Record<string, unknown>;

/** The same object if it holds no secret, else a copy without. By hand, as pino's own way costs ten lines' time per line. */
function censor(fields: Fields, depth = DEPTH): Fields {
  let copy: Fields | undefined;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const shown = value !== undefined && isSecretLogName(name) ? CENSORED : inside(value, depth - 1);
    if (shown !== value)
      (copy ??= Array.isArray(fields) ? ([...fields] as unknown as Fields) : { ...fields })[name] = shown;
  }
  return copy ?? fields;
}

/** Errors are written by their own serializer, which comes here with what it made of them. */
function inside(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value !== 'object' || value === null || value instanceof Error || depth === 0) return value;
  return censor(value as Fields, depth);
}

const writtenError = (error: Error): Fields => censor(pino.stdSerializers.err(error) as unknown as Fields, DEPTH - 1);

export function openLog(level: string, node: string): Log {
  return pino({
    level,
    base: { node },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: (fields) => censor(fields) },
    serializers: { error: writtenError, err: writtenError },
  });
}

export interface RequestLine {
  /** Of harmless signs. */
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

const INFO = 30;
/** Kept back no longer than this much, or this long: each write wakes another thread. */
const MOST_CHARACTERS = 16_384;
const MOST_MS = 5;

/** Each writes what its log still keeps back. One listener sees to all logs of a process, however many it has. */
const keptBack = new Set<() => void>();
process.on('exit', () => keptBack.forEach((writeNow) => writeNow()));

/**
 * Lines about requests, the same as log.info would write them. There are more of them than of all others: they are put
 * together by hand, and those of a few milliseconds are written together.
 */
export function openRequestLines(log: Log): { write(line: RequestLine): void } {
  const stream = (log as unknown as Record<symbol, { write(text: string): void; flushSync?(): void }>)[
    pino.symbols.streamSym
  ]!;
  const bindings = (log as unknown as Record<symbol, string>)[pino.symbols.chindingsSym]!;
  let text = '';
  let [millisecond, start] = [0, ''];
  let [lastMethod, lastPath, lastStatus, middle] = ['', '', 0, ''];
  const flush = () => {
    const written = text;
    text = '';
    keptBack.delete(writeNow);
    if (written !== '') stream.write(written);
  };
  const writeNow = () => {
    flush();
    stream.flushSync?.();
  };
  return {
    write({ requestId, method, path, status, ms }) {
      if (!log.isLevelEnabled('info')) return;
      const now = Date.now();
      if (now !== millisecond) {
        millisecond = now;
        start = `{"level":${INFO},"time":"${new Date(now).toISOString()}"${bindings},"requestId":"`;
      }
      // There are long runs of the same.
      if (path !== lastPath || status !== lastStatus || method !== lastMethod) {
        [lastMethod, lastPath, lastStatus] = [method, path, status];
        middle = `","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":`;
      }
      if (text === '') {
        keptBack.add(writeNow);
        setTimeout(flush, MOST_MS);
      }
      text += `${start}${requestId}${middle}${ms},"msg":"request"}\n`;
      if (text.length > MOST_CHARACTERS) flush();
    },
  };
}
