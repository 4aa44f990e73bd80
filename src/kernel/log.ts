/** The structured log. Whatever could be a credential is censored by its name, wherever it stands. */
import pino, { type Logger } from 'pino';

export type Log = Logger;

const SECRET_NAMES = [
  'api_key',
  'apiKey',
  'authorization',
  'cookie',
  'password',
  'secret',
  'secretKey',
  'token',
  'voicemail_vmpwd',
  'key',
  'x-signature',
];

export function openLog(level: string, node: string): Log {
  return pino({
    level,
    base: { node },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[secret]',
    },
    serializers: { error: pino.stdSerializers.err, err: pino.stdSerializers.err },
  });
}
