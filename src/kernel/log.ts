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

/** Pino writes without waiting: what is logged during one write is in the next, and the last when the process ends. */
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
 * For the lines about requests, which are most of all lines. Their fields hold no secrets: the path is shown as
 * shown-path.ts allows, and the id is of harmless characters. So nothing is looked for in them.
 */
export const requestLog = (log: Log): Log => log.child({}, { formatters: { log: (fields) => fields } });
