/** Passwords and keys, and how often strangers may try them. */
import { limit, variable, whole } from './kinds';

export const logins = {
  passwordQueue: variable(
    'PASSWORD_QUEUE',
    whole(1, 10_000),
    32,
    'Passwords that may wait on one node to be checked or hashed; more are refused with 429.',
  ),
  passwordRounds: variable(
    'PASSWORD_ROUNDS',
    whole(1, 100),
    5,
    'How often scrypt works through a password: more makes guesses and logins slower. OWASP recommends 5.',
  ),
  passwordMinLength: variable('PASSWORD_MIN_LENGTH', whole(1, 100), 8, 'Fewest characters of a new password.'),
  passwordMinGuesses: variable(
    'PASSWORD_MIN_GUESSES',
    whole(1, 1_000_000_000_000_000),
    1_000_000,
    'Guesses that a new password must withstand, as zxcvbn estimates them.',
  ),
  sessionDays: variable(
    'SESSION_DAYS',
    whole(1, 365),
    30,
    'A session in the browser that was not used for so many days ends.',
  ),
  unknownKeyLimit: limit('UNKNOWN_KEY_LIMIT', '60:1000', 'Keys of nobody that one address may show to one node.'),
} as const;
