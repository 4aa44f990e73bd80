/** The one list of names that mean credentials: in logs, in payloads that operators see, and in paths. */

/** Whole words of a field name in any spelling: api_key, apiKey, X-Api-Key. */
const SECRET_WORDS =
  /(?:^|_)(?:password|passwd|pwd|pass|passphrase|secrets?|tokens?|auth|authorization|credentials?|cookies?|session|jwt|signature|sig|hmac|pin|otp|vmpwd|private_key|access_key|api_?keys?|apikey|secret_key|signing_key|bearer|dsn)(?:_|$)/;
/** URLs that are credentials. */
const SECRET_NAMES = new Set(['webhook_url', 'response_url', 'hook_url', 'connection_string']);
/** Names that contain such a word but hold no credential. */
const HARMLESS = new Set(['author_association', 'session_count', 'tokens_used', 'pass_count', 'pass_rate']);
/** These may name a credential or, say, an issue; the value decides. */
const DOUBTFUL_NAMES = new Set(['key', 'keys', 'code', 'hash']);
/** Our own code logs credentials under these names, or SQL that contains users' values. */
const LOG_NAMES = new Set(['key', 'sql', 'sql_message', 'bindings']);

const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

const isSecret = (words: string): boolean =>
  !HARMLESS.has(words) && (SECRET_NAMES.has(words) || SECRET_WORDS.test(words));

export const isSecretName = (name: string): boolean => isSecret(wordsOf(name));

/** Whether a field of the log may hold a secret. */
export function isSecretLogName(name: string): boolean {
  const words = wordsOf(name);
  return LOG_NAMES.has(words) || isSecret(words);
}

export const isDoubtfulName = (name: string): boolean => DOUBTFUL_NAMES.has(wordsOf(name));
