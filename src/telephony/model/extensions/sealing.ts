/** Credentials on their way into and out of rows: encrypted there, plain here. */
import { randomBytes, randomInt } from 'node:crypto';
import type { Secrets } from '../../../kernel/secrets';
import type { Credentials, Extension } from './extension';

type Sealed<T> = Omit<T, 'credentials'> & { readonly credentials: string };

export const seal = (secrets: Secrets, credentials: Credentials): string =>
  secrets.encrypt(JSON.stringify(credentials));

export const unseal = (secrets: Secrets, extension: Sealed<Extension>): Extension => ({
  ...extension,
  credentials: JSON.parse(secrets.decrypt(extension.credentials)) as Credentials,
});

const PIN_DIGITS = 6;

/** As FreePBX writes them: 32 hex digits, and a pin that a telephone can dial. */
export const newCredentials = (): Credentials => ({
  secret: randomBytes(16).toString('hex'),
  password: '',
  voicemail_vmpwd: String(randomInt(10 ** PIN_DIGITS)).padStart(PIN_DIGITS, '0'),
});

/** By which an extension is recognised on a PBX that cannot keep the id of the order that made it. */
export const markOf = (secrets: Secrets, instance: string, made: { number: number; secret: string }): string =>
  secrets.lookup(JSON.stringify(['pbx', instance, made.number, made.secret]));
