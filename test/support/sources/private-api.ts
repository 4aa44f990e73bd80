/** Finds code that reaches into a library or into Node beyond what they document. */
import type { SourceFile } from './architecture';

interface PrivateApi {
  readonly pattern: RegExp;
  readonly of: string;
}

const PRIVATE: readonly PrivateApi[] = [
  { pattern: /\b_header\b/, of: 'a response of Node (_header)' },
  { pattern: /\b_headerSent\b/, of: 'a response of Node (_headerSent)' },
  { pattern: /\b_httpMessage\b/, of: 'a socket of Node (_httpMessage)' },
  { pattern: /\bonIncoming\b/, of: "Node's HTTP parser (onIncoming)" },
  { pattern: /\bkOnHeadersComplete\b/, of: "Node's HTTP parser (kOnHeadersComplete)" },
  { pattern: /\.parser\b/, of: "Node's HTTP parser (.parser)" },
  { pattern: /\bknex\/lib\b/, of: 'knex (knex/lib)' },
  { pattern: /\._query\b/, of: 'a client of knex (._query)' },
  { pattern: /\bpino\.symbols\b/, of: 'pino (pino.symbols)' },
  { pattern: /\bhashMap\b/, of: 'prom-client (hashMap)' },
  { pattern: /\bwriteBuffer\b/, of: 'engine.io (writeBuffer)' },
  { pattern: /\.transport\b/, of: 'engine.io (.transport)' },
  { pattern: /\bsendCommand\b/, of: 'ioredis (sendCommand)' },
  { pattern: /\brefreshSlotsCache\b/, of: 'ioredis (refreshSlotsCache)' },
  { pattern: /\.isCluster\b/, of: 'ioredis (.isCluster)' },
  { pattern: /\bcondition\??\.(?:protocol|subscriber|select)\b/, of: 'ioredis (condition)' },
  { pattern: /\bbull:/, of: 'BullMQ (its keys in Redis)' },
  {
    pattern: /:(?:wait|meta|active|paused|delayed|prioritized|completed|failed|stalled)`/,
    of: 'BullMQ (its keys in Redis)',
  },
  // The protocol calls an identity _id.
  { pattern: /(?:\.|\[['"])_(?!id\b)[a-z]\w*/i, of: 'something that calls it private by its first sign' },
  { pattern: /\bas unknown as [^;\n]*?\b_(?!id\b)\w+/, of: 'something whose type was changed to reach it' },
  {
    pattern: /from '(?!highlight\.js\/lib\/)(?:@[^/']+\/)?[^./'][^/']*\/(?:lib|dist|build|built|cjs|esm|src)\//,
    of: 'a package',
  },
];

/** A sentence for each file and each private API that it uses. */
export function checkPrivateApi(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm, '');
    const found = PRIVATE.filter(({ pattern }) => pattern.test(code)).map(({ of }) => of);
    return [...new Set(found)].map((of) => `${path} reaches into ${of}`);
  });
}
