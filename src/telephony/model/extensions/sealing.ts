/** Encrypts credentials for storage and decrypts them on reading. */
import { randomBytes, randomInt } from 'node:crypto';
import type { Secrets } from '../../../kernel/secrets/secrets';
import type { Credentials, Extension } from './extension';

type Sealed<T> = Omit<T, 'credentials'> & { readonly credentials: string };

export const seal = (secrets: Secrets, credentials: Credentials): string =>
  secrets.encrypt(JSON.stringify(credentials));

export const unseal = (secrets: Secrets, extension: Sealed<Extension>): Extension => ({
  ...extension,
  credentials: JSON.parse(secrets.decrypt(extension.credentials)) as Credentials,
});

const PIN_DIGITS = 6;

/** In FreePBX's format: 32 hex digits, and a PIN that can be dialled. */
export const newCredentials = (): Credentials => ({
  secret: randomBytes(16).toString('hex'),
  password: '',
  voicemail_vmpwd: String(randomInt(10 ** PIN_DIGITS)).padStart(PIN_DIGITS, '0'),
});

/** The marker by which an extension is recognised on a PBX that cannot store an operation's id. */
export const markOf = (secrets: Secrets, instance: string, made: { number: number; secret: string }): string =>
  secrets.lookup(JSON.stringify(['pbx', instance, made.number, made.secret]));
