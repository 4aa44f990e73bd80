/** The structured log. Whatever could be a credential is censored, by its name or by its shape. */
import pino, { type Logger, type LoggerOptions } from 'pino';
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

/** Lines wait to be written together, for so many bytes or milliseconds: each write wakes another thread. */
const BUFFER_BYTES = 8192;
const FLUSH_MS = 5;
/** A process that stands still or is killed must not take its last warnings with it. */
const FLUSHED_AT_ONCE = pino.levels.values['warn']!;

type Destination = ReturnType<typeof pino.destination>;
let stdout: Destination | undefined;
let flushing: NodeJS.Timeout | undefined;

/** One for all logs of a process, so that their lines never mix. Pino itself flushes it when the process ends. */
function destination(): Destination {
  stdout ??= pino.destination({ sync: false, minLength: BUFFER_BYTES });
  return stdout;
}

function flush(): void {
  clearTimeout(flushing);
  flushing = undefined;
  stdout?.flush();
}

export function openLog(level: string, node: string): Log {
  const options: LoggerOptions = {
    level,
    base: { node },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: (fields) => censor(fields) },
    serializers: { error: writtenError, err: writtenError },
    hooks: {
      logMethod(args, write, severity) {
        write.apply(this, args);
        if (severity >= FLUSHED_AT_ONCE) flush();
        else flushing ??= setTimeout(flush, FLUSH_MS).unref();
      },
    },
  };
  return pino(options, destination());
}

/**
 * For the lines about requests, which are most of all lines. Their fields hold no secrets: the path is shown as
 * shown-path.ts allows, and the id is of harmless characters. So nothing is looked for in them.
 */
export const requestLog = (log: Log): Log => log.child({}, { formatters: { log: (fields) => fields } });
