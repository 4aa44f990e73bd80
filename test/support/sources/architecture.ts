/**
 * The layer of each file, what each layer may import, and which files break that. The table is docs/ARCHITECTURE.md's.
 */
import { join, dirname } from 'node:path/posix';

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const PRODUCT_LAYERS = [
  'model',
  'rendering',
  'integrations',
  'carriers',
  'store',
  'caches',
  'actors',
  'parts',
  'queries',
  'commands',
  'http',
  'socket',
  'workers',
] as const;
type Layer =
  | (typeof PRODUCT_LAYERS)[number]
  | 'kernel'
  | 'kernel-entry'
  | 'config'
  | 'index'
  | 'settings'
  | 'main'
  | 'cli';

/** From the inside out: what a layer may import. */
const MAY: Readonly<Record<Layer, readonly Layer[]>> = {
  kernel: ['kernel'],
  'kernel-entry': ['kernel', 'kernel-entry'],
  config: ['config'],
  settings: ['model', 'kernel'],
  model: ['model', 'kernel'],
  rendering: ['rendering', 'model', 'kernel'],
  integrations: ['integrations', 'model', 'kernel'],
  carriers: ['carriers', 'model', 'kernel'],
  store: ['store', 'model', 'kernel'],
  caches: ['caches', 'store', 'model', 'kernel'],
  actors: ['actors', 'caches', 'carriers', 'store', 'model', 'kernel'],
  parts: ['caches', 'actors', 'rendering', 'carriers', 'store', 'model', 'kernel', 'settings'],
  queries: [
    'queries',
    'rendering',
    'integrations',
    'carriers',
    'caches',
    'actors',
    'parts',
    'store',
    'model',
    'kernel',
    'settings',
  ],
  commands: [
    'commands',
    'queries',
    'rendering',
    'integrations',
    'carriers',
    'caches',
    'actors',
    'parts',
    'store',
    'model',
    'kernel',
    'settings',
  ],
  http: ['http', 'commands', 'queries', 'parts', 'model', 'kernel', 'kernel-entry', 'settings'],
  socket: ['socket', 'commands', 'queries', 'model', 'kernel', 'kernel-entry', 'settings'],
  workers: ['workers', 'parts', 'commands', 'actors', 'model', 'kernel', 'settings'],
  index: [...PRODUCT_LAYERS, 'kernel', 'kernel-entry', 'settings'],
  main: ['main', 'index', 'config', 'kernel', 'kernel-entry'],
  cli: ['cli', 'main', 'index', 'parts', 'commands', 'queries', 'model', 'config', 'kernel', 'kernel-entry'],
};

/** Packages that only some folders may import. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  koa: /^src\/kernel\/(http|api-docs|health|web-pages)\//,
  '@koa/router': /^src\/kernel\/http\//,
  'koa-bodyparser': /^src\/kernel\/http\//,
  'socket.io': /^src\/kernel\/socket\//,
  '@socket.io/redis-adapter': /^src\/kernel\/socket\//,
  '@socket.io/redis-emitter': /^src\/kernel\/socket\//,
  bullmq: /^src\/kernel\/jobs\//,
  ioredis: /^src\/kernel\//,
  knex: /^src\/(kernel\/(mysql|mailbox|push)|\w+\/store)\//,
  mysql2: /^src\/kernel\/mysql\//,
  commander: /^cli\//,
  nodemailer: /^src\/kernel\/mail\//,
  sharp: /^src\/kernel\/pictures\//,
  'openid-client': /^src\/kernel\/openid\//,
  ws: /^src\/kernel\/outbound\//,
  'web-push': /^src\/kernel\/push\//,
};

/** The kernel's composition root, which assembles all of it. */
const ASSEMBLERS = new Set(['src/kernel/kernel.ts', 'src/kernel/product.ts']);
const FORBIDDEN_NAMES = /(^|[-/])(utils?|helpers?|common|misc|manager|service|base|handler)([-.]|s\.)/;

export function layerOf(path: string): Layer | undefined {
  if (path.startsWith('config/')) return 'config';
  if (path.startsWith('cli/')) return 'cli';
  if (/^src\/kernel\/(http|socket|api-docs|health|web-pages)\//.test(path)) return 'kernel-entry';
  if (path.startsWith('src/kernel/')) return 'kernel';
  if (/^(src|workers)\/[\w-]+\.ts$/.test(path)) return 'main';
  const [, name = ''] = /^src\/\w+\/([\w-]+)/.exec(path) ?? [];
  return [...PRODUCT_LAYERS, 'index', 'settings'].includes(name as Layer) ? (name as Layer) : undefined;
}

const productOf = (path: string): string | undefined => /^src\/(?!kernel\/)(\w+)\//.exec(path)?.[1];

/** A sentence for each rule that a file breaks. */
export function checkImports(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map(({ path }) => path));
  return files.flatMap((file) => [...importMistakes(file, known), ...textMistakes(file)]);
}

function importMistakes({ path, text }: SourceFile, known: ReadonlySet<string>): string[] {
  const targets = [...text.matchAll(/(?:from|import|require\()\s*'([^']+)'/g)].map((match) => match[1]!);
  return targets.flatMap((target) => {
    const mistake = target.startsWith('.') ? crossing(path, resolve(path, target, known)) : outsider(path, target);
    return mistake === undefined ? [] : [`${path} imports ${target}: ${mistake}`];
  });
}

function resolve(from: string, target: string, known: ReadonlySet<string>): string {
  const path = join(dirname(from), target);
  return known.has(`${path}/index.ts`) ? `${path}/index.ts` : `${path}.ts`;
}

function crossing(from: string, to: string): string | undefined {
  const [own, other] = [productOf(from), productOf(to)];
  if (own && other && own !== other) return `${own} and ${other} do not know each other`;
  const [layer, target] = [layerOf(from), layerOf(to)];
  if (!layer || !target || ASSEMBLERS.has(from)) return undefined;
  return MAY[layer].includes(target) ? undefined : `${layer} may not look at ${target}`;
}

function outsider(path: string, target: string): string | undefined {
  const allowed = PACKAGES[target];
  return allowed && !allowed.test(path) ? `only ${allowed.source} may know ${target}` : undefined;
}

function textMistakes({ path, text }: SourceFile): string[] {
  const mistakes: string[] = [];
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  if (FORBIDDEN_NAMES.test(path)) mistakes.push(`${path}: the name says nothing`);
  if (/\bexport default\b/.test(code)) mistakes.push(`${path}: default export`);
  if (/\bprocess\.env\b/.test(code) && !READS_ENVIRONMENT.has(path)) mistakes.push(`${path}: reads the environment`);
  if (layerOf(path) === 'model' && /\bDate\.now\(|new Date\(\)/.test(code))
    mistakes.push(`${path}: a model has no clock`);
  if (GONE_FROM_MYSQL.test(code)) mistakes.push(`${path}: MySQL 9 has no such function; compute the hash in Node`);
  if (LOST_DEADLINE.test(code) && !RUNS_IN_BROWSERS.has(path))
    mistakes.push(`${path}: a deadline that garbage collection takes; use endingWithin or exchangeHttp`);
  if (ASSIGNED_FUNCTION.test(code))
    mistakes.push(
      `${path}: a function written where it is assigned to a property; make it a constant or a field first`,
    );
  return mistakes;
}

/**
 * V8 allocates such a function among the old objects at once. One per request keeps the whole request alive until the
 * next full collection, and every collection before that copies it: this has cost a node a fifth of its time.
 */
const ASSIGNED_FUNCTION = /[\w\])]\.#?\w+ (?:\?\?)?= (?:async )?(?:function\b|\([^()]*\)(?:: [\w<>[\] |]+)? =>|\w+ =>)/;

/**
 * Joined signals and timeout signals are collected once only the work holds them, and fetch drops its signal after the
 * headers.
 */
const LOST_DEADLINE = /\bAbortSignal\.(?:any|timeout)\b|(?<![.\w])fetch\(/;
const RUNS_IN_BROWSERS = new Set(['src/kernel/api-docs/docs-script.ts']);

/** In SQL. Functions of ours have other names, so this check needs no parser. */
const GONE_FROM_MYSQL = /\b(?:md5|sha1?)\s*\(/i;

/** These pass the environment to loadConfig and read nothing from it. */
const READS_ENVIRONMENT = new Set(['src/run.ts', 'cli/main.ts']);
