/** Resizes images without blocking this process: each is decoded in its own process, a few at a time. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { endingWithin } from '../ending';
import { Fault } from '../fault';
import { Gate, type Party } from '../admission/gate';
import type { MadePicture, Outcome, PictureRecipe, PictureRefusal } from './recipe';

export interface Pictures {
  /** One image per size of the recipe, or why it was refused. A fault if it takes too long or too many wait. */
  make(open: () => Readable, recipe: PictureRecipe, party: Party): Promise<MadePicture[] | PictureRefusal>;
  close(): void;
}

export interface PictureOptions {
  /** A process that takes longer for one image is killed. */
  readonly limitMs?: number;
  readonly atOnce?: number;
  /** The compiled decoder program. */
  readonly program?: string;
}

/** Tests run the TypeScript sources, which no other process can load, so they use the compiled file. */
const PROGRAM = __filename.endsWith('.ts')
  ? join(__dirname, '../../../dist/src/kernel/pictures/decoder-process.js')
  : join(__dirname, 'decoder-process.js');

/** A large photograph takes a second. A busy machine takes long to start the process. */
const LIMIT_MS = 20_000;
/** Each takes a core, and up to a few hundred megabytes. */
const AT_ONCE = availableParallelism() >= 4 ? 2 : 1;
const WAITING = { callerAtOnce: 1, waiting: 100, callerWaiting: 10, waitMs: 30_000 };
/** Pixels are not on this heap. */
const HEAP_MB = 64;
/** Far more than any recipe produces. */
const MAX_BYTES = 16 * 1024 * 1024;

const tooMany = () => new Fault('unavailable', 'Too many pictures are being converted; try again');
const notConverted = (cause: Error) =>
  new Fault('unavailable', 'The picture could not be converted; try again', { cause });

export function openPictures(options: PictureOptions = {}): Pictures {
  const { limitMs = LIMIT_MS, atOnce = AT_ONCE, program = PROGRAM } = options;
  const places = new Gate({ ...WAITING, atOnce, refusal: tooMany });
  const closing = new AbortController();

  /** Returns what the process wrote to standard output. */
  function decode(source: Readable, recipe: PictureRecipe, signal: AbortSignal): Promise<Buffer> {
    const args = [`--max-old-space-size=${HEAP_MB}`, program, JSON.stringify(recipe)];
    const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
    const child = spawn(process.execPath, args, { env: {}, stdio, signal, killSignal: 'SIGKILL' });
    return new Promise((resolve, reject) => {
      // First, because a process that could not be started has no streams.
      child.on('error', (error) => reject(notConverted(error)));
      const chunks: Buffer[] = [];
      let size = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_BYTES) child.kill('SIGKILL');
        else chunks.push(chunk);
      });
      child.on('close', (code, killedBy) => {
        if (code === 0) resolve(Buffer.concat(chunks));
        else reject(notConverted(new Error(`The process ended with ${code ?? killedBy}`)));
      });
      source.on('error', (error) => {
        reject(error);
        child.kill('SIGKILL');
      });
      // If the process ends before it has read everything, its exit code says why.
      child.stdin.on('error', () => {});
      source.pipe(child.stdin);
    });
  }

  async function make(open: () => Readable, recipe: PictureRecipe): Promise<MadePicture[] | PictureRefusal> {
    const source = open();
    try {
      return readPictures(await endingWithin(limitMs, (signal) => decode(source, recipe, signal), [closing.signal]));
    } finally {
      source.destroy();
    }
  }

  return {
    make: (open, recipe, party) => places.through(party, () => make(open, recipe)),
    close() {
      places.close(tooMany());
      closing.abort();
    },
  };
}

function readPictures(written: Buffer): MadePicture[] | PictureRefusal {
  const end = written.indexOf('\n');
  const outcome = JSON.parse(written.toString('utf8', 0, end)) as Outcome;
  if ('refused' in outcome) return outcome.refused;
  let at = end + 1;
  return outcome.made.map(({ extension, size }) => {
    const bytes = written.subarray(at, at + size);
    at += size;
    return { extension, bytes };
  });
}
