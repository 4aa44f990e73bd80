/** The structured log. Anything that could be a credential is censored, by its name or by its shape. */
import pino, { type DestinationStream, type Logger } from 'pino';
import { maskText } from './secrets/mask';
import { isSecretLogName } from './secrets/secret-names';

export type Log = Logger;

const CENSORED = '[secret]';
/** How deep field names are checked. */
const DEPTH = 3;

type Fields = Record<string, unknown>;

/** Returns the same object if it holds no secret, else a censored copy. Pino's redaction costs ten times a log line. */
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

/** Errors are left to their serializer, which censors the fields that it makes of them. */
function inside(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value !== 'object' || value === null || value instanceof Error || depth === 0) return value;
  return censor(value as Fields, depth);
}

const writtenError = (error: Error): Fields => censor(pino.stdSerializers.err(error) as unknown as Fields, DEPTH - 1);

/** How long lines wait to be written together: a write wakes another thread, which costs more than making a line. */
const GATHER_MS = 5;
const GATHER_CHARACTERS = 8192;
/** A process that hangs or is killed must not take its last warnings with it. */
const WRITTEN_AT_ONCE = pino.levels.values['warn']!;

let shared: DestinationStream | undefined;

/** One for all logs of a process, so that there is one listener for its exit. */
function openStdout(): DestinationStream {
  const stdout = pino.destination({ sync: false });
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '') stdout.write(lines);
    lines = '';
  }
  // Before pino's own listener, which waits until everything is written.
  process.prependListener('exit', flush);
  const gathering = {
    // Pino then sets the level of each line.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string): void {
      lines += line;
      if (gathering.lastLevel >= WRITTEN_AT_ONCE || lines.length > GATHER_CHARACTERS) flush();
      else timer ??= setTimeout(flush, GATHER_MS);
    },
  };
  return gathering;
}

/** As pino's `isoTime`, but a date is formatted once a second: for each line, it would cost as much as the rest of it. */
function openTimes(): () => string {
  let second = 0;
  let start = '';
  return () => {
    const now = Date.now();
    const millisecond = now % 1000;
    if (now - millisecond !== second) {
      second = now - millisecond;
      start = `,"time":"${new Date(second).toISOString().slice(0, -'000Z'.length)}`;
    }
    return `${start}${String(millisecond).padStart(3, '0')}Z"`;
  };
}

export function openLog(level: string, node: string): Log {
  const options = {
    level,
    base: { node },
    timestamp: openTimes(),
    formatters: { log: (fields: Fields) => censor(fields) },
    serializers: { error: writtenError, err: writtenError },
  };
  return pino(options, (shared ??= openStdout()));
}

/**
 * For request lines, which are most of all lines. Their fields hold no secrets: shown-path.ts masks the path, and the
 * id has only harmless characters. So they are not searched.
 */
export const requestLog = (log: Log): Log => log.child({}, { formatters: { log: (fields) => fields } });
