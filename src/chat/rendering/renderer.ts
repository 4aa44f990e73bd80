/**
 * Renders messages without blocking the event loop. Short messages render in place, because even the worst is cheap.
 * Long ones and formulas render in a few threads, which are started on demand and replaced when terminated.
 */
import { join } from 'node:path';
import { Fault } from '../../kernel/fault';
import { ANYBODY, Gate, type Party } from '../../kernel/admission/gate';
import type { Log } from '../../kernel/log';
import type { RenderContext, Rendered } from '../model/markdown/context';
import { mayHoldFormula } from '../model/markdown/formulas/formulas';
import { render } from '../model/markdown/render';
import type { RealmId } from '../model/organisation/realm';
import type { Question } from './conversation';
import { startThread, type Thread } from './thread';

export interface Renderer {
  /** Organisations take turns when long messages wait. */
  render(content: string, context: RenderContext, realmId?: RealmId): Promise<Rendered>;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** Content up to this many bytes renders in place. */
  readonly inPlaceBytes?: number;
  /** A thread that takes longer for one message is terminated; 5 s, as in Zulip, so that a busy machine refuses none. */
  readonly limitMs?: number;
  readonly threads?: number;
  /** The compiled program of the threads. */
  readonly program?: string;
}

/** Beyond this many waiting messages, new ones are refused: each could wait for as many time limits. */
const MAX_WAITING = 100;

/** Up to this many bytes, even the worst content is cheap. */
export const IN_PLACE_BYTES = 2048;

const partyOf = (realmId: RealmId | undefined): Party =>
  realmId === undefined ? ANYBODY : { caller: String(realmId), address: String(realmId) };

const closed = () => new Fault('unavailable', 'The renderer is closed');
const tooMany = () => new Fault('unavailable', 'Too many messages are being rendered');

/** Tests run the TypeScript sources, which a thread cannot load, so they use the compiled file of the build. */
const PROGRAM = __filename.endsWith('.ts')
  ? join(__dirname, '../../../dist/src/chat/rendering/render-worker.js')
  : join(__dirname, 'render-worker.js');

export function openRenderer(log?: Log, options: RendererOptions = {}): Renderer {
  const { inPlaceBytes = IN_PLACE_BYTES, threads = 2, program = PROGRAM, limitMs = 5000 } = options;
  const idle: Thread[] = [];
  const all = new Set<Thread>();
  const places = new Gate({ atOnce: threads, waiting: MAX_WAITING, refusal: tooMany, refusedAtOnce: Infinity });
  let isClosed = false;

  function begin(): Thread {
    const thread = startThread(program);
    all.add(thread);
    return thread;
  }

  async function renderInThread(question: Question): Promise<Rendered> {
    const thread = idle.pop() ?? begin();
    try {
      return await thread.render(question, limitMs);
    } catch (error) {
      if (!thread.isAlive())
        log?.warn({ error, bytes: Buffer.byteLength(question.content) }, 'ended a rendering thread');
      throw error;
    } finally {
      if (thread.isAlive()) idle.push(thread);
      else all.delete(thread);
    }
  }

  return {
    async render(content, context, realmId) {
      if (isClosed) throw closed();
      if (!mayHoldFormula(content) && Buffer.byteLength(content) <= inPlaceBytes) return render(content, context);
      return places.through(partyOf(realmId), () => renderInThread({ content, context }));
    },
    async close() {
      isClosed = true;
      places.close(closed());
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}
