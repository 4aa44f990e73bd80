/** The structured log. Anything that could be a credential is censored, by its name or by its shape. */
import pino, { type Logger } from 'pino';
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

/** Pino writes asynchronously: lines logged during one write go into the next, and the rest when the process ends. */
export function openLog(level: string, node: string): Log {
  return pino({
    level,
    base: { node },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: (fields) => censor(fields) },
    serializers: { error: writtenError, err: writtenError },
  });
}

/**
 * For request lines, which are most of all lines. Their fields hold no secrets: shown-path.ts masks the path, and the
 * id has only harmless characters. So they are not searched.
 */
export const requestLog = (log: Log): Log => log.child({}, { formatters: { log: (fields) => fields } });
