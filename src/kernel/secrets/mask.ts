/** Hides possible credentials from people who look at other people's data: by the name of a field, and by shape. */
import { isDoubtfulName, isSecretName } from './secret-names';

export const MASK = '********';

/** Under a doubtful name, only a value of at least this length is hidden. */
const CREDENTIAL_LENGTH = 16;

/** Shapes of credentials inside text. Captured parts stay. */
const SHAPES: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, MASK],
  [/\b((?:proxy-)?authorization\s*[:=]\s*)(?:\w+\s+)?[^\s,;"']+/gi, `$1${MASK}`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/_.~=-]{8,}/g, `$1 ${MASK}`],
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]*:)[^\s/@]+@/gi, `$1${MASK}@`],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, MASK],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|sk_live_|sk_test_|rk_live_|whsec_|npm_|dop_v1_)[\w-]{8,}/g, MASK],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, MASK],
  [/\bAIza[\w-]{30,}/g, MASK],
  [/(?<!\d)(\d{6,12}:)[\w-]{30,}/g, `$1${MASK}`],
  [/(\/webhooks\/[^/\s"']+\/[^/\s"']+\/)[^\s"'?#]+/g, `$1${MASK}`],
  [/(https:\/\/hooks\.slack\.com\/)[\w/-]+/g, `$1${MASK}`],
];
const ASSIGNMENT = /([\w-]{2,40})["']?\s*[=:]\s*["']?/g;
const VALUE = /[^\s&"',;}]{3,}/y;

/** Masks secrets inside a sentence, a URL or a line of configuration. */
export function maskText(text: string): string {
  return maskAssignments(SHAPES.reduce((masked, [shape, instead]) => masked.replaceAll(shape, instead), text));
}

/** Skips only the value of a secret: another value may hold further assignments, as a URL does. */
function maskAssignments(text: string): string {
  let masked = '';
  let from = 0;
  for (const { 0: sign, 1: name = '', index } of text.matchAll(ASSIGNMENT)) {
    if (index < from || !isSecretName(name)) continue;
    VALUE.lastIndex = index + sign.length;
    if (!VALUE.test(text)) continue;
    masked += text.slice(from, index + sign.length) + MASK;
    from = VALUE.lastIndex;
  }
  return masked + text.slice(from);
}

const MAX_DEPTH = 64;

/** A copy of the value with secrets replaced. */
export function maskSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return value.map((each) => maskSecrets(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [maskText(name), maskField(name, inside, depth)]),
  );
}

function maskField(name: string, value: unknown, depth: number): unknown {
  const isEmpty = value === null || value === '' || typeof value === 'boolean';
  if (isSecretName(name) && !isEmpty) return MASK;
  const isLong = typeof value === 'string' && value.length >= CREDENTIAL_LENGTH && !/\s/.test(value);
  return isLong && isDoubtfulName(name) ? MASK : maskSecrets(value, depth + 1);
}
