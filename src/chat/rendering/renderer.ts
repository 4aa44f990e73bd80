/**
 * Renders messages without ever holding up the process: short ones in place, where the worst costs little, long ones
 * in one of a few threads that are started when first needed and replaced when one had to be ended.
 */
import { join } from 'node:path';
import { Fault } from '../../kernel/fault';
import type { Log } from '../../kernel/log';
import type { RenderContext, Rendered } from '../model/markdown/context';
import { render } from '../model/markdown/render';
import { startThread, type Thread } from './thread';

export interface Renderer {
  render(content: string, context: RenderContext): Promise<Rendered>;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** Up to this many bytes are rendered in place. */
  readonly inPlaceBytes?: number;
  /** A thread that takes longer over one message is ended. */
  readonly limitMs?: number;
  readonly threads?: number;
  /** The compiled program of the threads. */
  readonly program?: string;
}

/** More waiting messages than this are refused: each could wait for as many limits. */
const MOST_WAITING = 100;

/** Up to this many bytes the worst costs little. */
export const IN_PLACE_BYTES = 2048;

const closed = () => new Fault('unavailable', 'The renderer is closed');

/** The tests run the sources, which no thread can load; the compiled file lies where the build has put it. */
const PROGRAM = __filename.endsWith('.ts')
  ? join(__dirname, '../../../dist/src/chat/rendering/render-worker.js')
  : join(__dirname, 'render-worker.js');

export function openRenderer(log?: Log, options: RendererOptions = {}): Renderer {
  const { inPlaceBytes = IN_PLACE_BYTES, limitMs = 1000, threads = 2, program = PROGRAM } = options;
  const idle: Thread[] = [];
  const all = new Set<Thread>();
  const waiting: { resolve: (thread: Thread) => void; reject: (fault: Fault) => void }[] = [];
  let isClosed = false;

  async function borrow(): Promise<Thread> {
    const thread = idle.pop();
    if (thread) return thread;
    if (all.size < threads) return begin();
    if (waiting.length >= MOST_WAITING) throw new Fault('unavailable', 'Too many messages are being rendered');
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  }

  function begin(): Thread {
    const thread = startThread(program, limitMs);
    all.add(thread);
    return thread;
  }

  function giveBack(thread: Thread): void {
    if (!thread.isAlive()) all.delete(thread);
    const next = waiting.shift();
    if (next) next.resolve(thread.isAlive() ? thread : begin());
    else if (thread.isAlive()) idle.push(thread);
  }

  async function renderInThread(content: string, context: RenderContext): Promise<Rendered> {
    const thread = await borrow();
    try {
      return await thread.ask({ content, context });
    } catch (error) {
      if (!thread.isAlive()) log?.warn({ error, bytes: Buffer.byteLength(content) }, 'A rendering thread was ended');
      throw error;
    } finally {
      giveBack(thread);
    }
  }

  return {
    async render(content, context) {
      if (isClosed) throw closed();
      if (Buffer.byteLength(content) <= inPlaceBytes) return render(content, context);
      return renderInThread(content, context);
    },
    async close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(closed());
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}
