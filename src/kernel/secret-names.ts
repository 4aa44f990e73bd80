/** The one list of names that stand for credentials: in logs, in payloads that operators see, and in paths. */

/** Whole words of a field's name, however it is written: api_key, apiKey, X-Api-Key. */
const SECRET_WORDS =
  /(?:^|_)(?:password|passwd|pwd|pass|passphrase|secrets?|tokens?|auth|authorization|credentials?|cookies?|session|jwt|signature|sig|hmac|pin|otp|vmpwd|private_key|access_key|api_?keys?|apikey|secret_key|signing_key|bearer|dsn)(?:_|$)/;
/** URLs that are credentials. */
const SECRET_NAMES = new Set(['webhook_url', 'response_url', 'hook_url', 'connection_string']);
/** Names that contain such a word and hold no credential. */
const HARMLESS = new Set(['author_association', 'session_count', 'tokens_used', 'pass_count', 'pass_rate']);
/** May name a credential or, say, an issue. The value decides. */
const DOUBTFUL_NAMES = new Set(['key', 'keys', 'code', 'hash']);
/** What our own code logs under these names is a credential, or a statement with the values of users in it. */
const LOG_NAMES = new Set(['key', 'sql', 'sql_message', 'bindings']);

const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

const isSecret = (words: string): boolean =>
  !HARMLESS.has(words) && (SECRET_NAMES.has(words) || SECRET_WORDS.test(words));

export const isSecretName = (name: string): boolean => isSecret(wordsOf(name));

/** The name of a field in the log. */
export function isSecretLogName(name: string): boolean {
  const words = wordsOf(name);
  return LOG_NAMES.has(words) || isSecret(words);
}

export const isDoubtfulName = (name: string): boolean => DOUBTFUL_NAMES.has(wordsOf(name));
