/** Lists the files of the built pages. Only listed files are served, so no path leads out of the folder. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Log } from '../log';

export type Encoding = 'br' | 'gzip' | 'identity';

interface Variant {
  readonly file: string;
  readonly bytes: number;
}

export interface WebFile {
  readonly type: string;
  /** The file itself, and its compressed forms from the build. */
  readonly variants: ReadonlyMap<Encoding, Variant>;
  /** The same on every node. */
  readonly etag: string;
}

/** By URL path. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const NO_FILES: WebFiles = new Map();
const COMPRESSED: Readonly<Record<string, Encoding>> = { '.br': 'br', '.gz': 'gzip' };
/** A build that ends while the node runs is noticed after this time. */
const LOOK_AGAIN_MS = 2000;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** The files of the newest build; none while there is no build. */
export function openWebFolder(folder: string, log: Log): () => Promise<WebFiles> {
  let files = NO_FILES;
  let built = -1;
  let lookedAt = -Infinity;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const written = await writtenAt(join(folder, 'index.html'));
    if (written === built) return;
    files = written === undefined ? NO_FILES : await listFiles(folder);
    built = written ?? -1;
  }

  return async () => {
    if (performance.now() - lookedAt > LOOK_AGAIN_MS) {
      looking ??= look()
        // A running build moves files: the next look finds what is there then.
        .catch((error: Error) => log.warn({ error, folder }, 'could not list the built pages'))
        .finally(() => {
          lookedAt = performance.now();
          looking = undefined;
        });
    }
    await looking;
    return files;
  };
}

/** The build writes this file last. */
async function writtenAt(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function listFiles(folder: string): Promise<WebFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const known = new Set(names);
  const files = new Map<string, WebFile>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type !== undefined) files.set(`/${name.split(sep).join('/')}`, await readFacts(folder, name, type, known));
  }
  return files;
}

// oxlint-disable-next-line max-params -- where it is, what it is, and which files are beside it
async function readFacts(folder: string, name: string, type: string, known: ReadonlySet<string>): Promise<WebFile> {
  const variants = new Map<Encoding, Variant>();
  for (const [ending, encoding] of Object.entries(COMPRESSED)) {
    if (known.has(`${name}${ending}`)) variants.set(encoding, await variantOf(join(folder, `${name}${ending}`)));
  }
  const file = join(folder, name);
  variants.set('identity', await variantOf(file));
  const etag = `"${createHash('sha256')
    .update(await readFile(file))
    .digest('base64url')
    .slice(0, 27)}"`;
  return { type, variants, etag };
}

const variantOf = async (file: string): Promise<Variant> => ({ file, bytes: (await stat(file)).size });
