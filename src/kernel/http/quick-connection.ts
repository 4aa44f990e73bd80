/**
 * A connection as the quick door sees it. A request that is let in there is the only one on its connection, and its answer
 * keeps it: Node need not make a response for it, which costs more than all else about a small answer and, as it waits as
 * long as its poll does, is moved about by the garbage collector again and again. Whatever is not so simple after all is
 * Node's affair: another request behind a held one, an answer that ends the connection. Node is then handed the held
 * request as if it had only just come, and goes on from there.
 */
import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { watchHeads, type Parser } from './heads';
import type { IdleConnections } from './idle-connections';
import { LastRequest } from './last-request';

/** Of Node's own fields those that say which answer is under way, and whom the parser tells of requests. */
interface NodeSocket extends Socket {
  parser?: Parser | null;
  _httpMessage?: unknown;
}

/** How an answer leaves. */
export interface Way<Target> {
  readonly last: LastRequest<Target>;
  readonly isGone: boolean;
  /** Writes the whole of it, head and all, in ASCII; says whether it could: what ends its connection is left to Node. */
  write(text: string): boolean;
  /** For what cannot be written so. */
  response(): ServerResponse;
  /** Told if the client goes before it is answered. */
  onHangUp(held: { leave(): void }): void;
}

/**
 * Says whether it takes the request; if so, it has answered it by the connection, or will. Where no request was made, its
 * headers are those of the last.
 */
type Admit<Target> = (url: string, way: Way<Target>, request: IncomingMessage | undefined) => boolean;

/** Stands where Node keeps the answer under way: the connection is not idle. */
const UNDER_WAY = { finished: false, emit: () => true };

/** The request that Node is handed for one that was let in: what it said has been read. */
export class HandedRequest extends IncomingMessage {
  constructor(socket: Socket) {
    super(socket);
    this.method = 'GET';
    this.url = '/';
    this.httpVersionMajor = this.httpVersionMinor = 1;
    this.headers = { host: '' };
    this.complete = true;
    this.push(null);
  }
}

export class QuickConnection<Target> implements Way<Target> {
  readonly last = new LastRequest<Target>();
  readonly #socket: NodeSocket;
  readonly #idle: IdleConnections;
  readonly #admit: Admit<Target>;
  readonly #ordinary: Parser['onIncoming'];
  readonly #flushed = (): void => this.#beIdle();
  /** Whether a request that was let in is to be answered. */
  #isHolding = false;
  #held: { leave(): void } | undefined;
  #response: ServerResponse | undefined;
  /** Since the last answer that left from here; Node ends those that idle since an answer of its own. */
  idleSince: number | undefined;
  #isWatched = false;
  /** Of the request that is being read: its method, and whether it was not let in by its head already. */
  #method = -1;
  #isRefused = false;
  /** Of the last one that was let in. */
  #usualMethod = -1;

  private constructor(socket: NodeSocket, parser: Parser, idle: IdleConnections, admit: Admit<Target>) {
    this.#socket = socket;
    this.#idle = idle;
    this.#admit = admit;
    this.#ordinary = parser.onIncoming;
    parser.onIncoming = (request, isKept) => this.#take(parser, request, isKept);
    const unwatch = watchHeads(parser, (lines, method, url) => this.#takeHead(lines, method, url));
    socket.on('close', () => {
      unwatch();
      this.#leave();
    });
  }

  /** To be called once Node has opened it. */
  static open<Target>(
    socket: Socket,
    idle: IdleConnections,
    admit: Admit<Target>,
  ): QuickConnection<Target> | undefined {
    const { parser } = socket as NodeSocket;
    return parser ? new QuickConnection<Target>(socket, parser, idle, admit) : undefined;
  }

  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** A head that says nothing new but its path: it is not read again, and no request is made of it. */
  #takeHead(lines: readonly string[], method: number, url: string): boolean {
    this.#method = method;
    this.#isRefused = false;
    if (method !== this.#usualMethod || !this.#isFree() || !this.last.hasShown(lines)) return false;
    this.#isRefused = !this.#letIn(url);
    return !this.#isRefused;
  }

  #take(parser: Parser, request: IncomingMessage, isKept: boolean): number {
    if (isKept && !this.#isRefused && isSimple(request) && this.#isFree() && this.#letIn(request.url!, request)) {
      this.#usualMethod = this.#method;
      // It has no body, and nobody waits for its end.
      parser.incoming = null;
      return 0;
    }
    this.#giveBack();
    return this.#ordinary(request, isKept);
  }

  #letIn(url: string, request?: IncomingMessage): boolean {
    this.#isHolding = true;
    this.#socket._httpMessage = UNDER_WAY;
    if (this.#admit(url, this, request)) {
      this.#mindTime();
      return true;
    }
    this.#isHolding = false;
    return false;
  }

  /** From now on it is not by Node that it is ended for being idle. */
  #mindTime(): void {
    if (this.#isHolding) this.idleSince = undefined;
    if (this.#socket.timeout) this.#socket.setTimeout(0);
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.#idle.watch(this);
  }

  #isFree(): boolean {
    return !this.#socket._httpMessage && !this.#socket.writableNeedDrain;
  }

  get isGone(): boolean {
    return this.#socket.destroyed;
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  end(): void {
    if (!this.#socket._httpMessage) this.#socket.destroy();
  }

  write(text: string): boolean {
    const socket = this.#socket;
    if (this.#response || !socket.writable) return false;
    this.#isHolding = false;
    this.#held = undefined;
    this.idleSince = Date.now();
    socket.write(text, 'latin1', this.#flushed);
    return true;
  }

  response(): ServerResponse {
    const response = this.#hand();
    this.#isHolding = false;
    this.#held = this.#response = undefined;
    return response;
  }

  onHangUp(held: { leave(): void }): void {
    this.#held = held;
  }

  /** From now on the connection is as Node would have it. */
  #giveBack(): void {
    this.idleSince = undefined;
    if (this.#isHolding) this.#hand();
    else this.#beIdle();
  }

  #beIdle(): void {
    if (!this.#isHolding && this.#socket._httpMessage === UNDER_WAY) this.#socket._httpMessage = null;
  }

  #hand(): ServerResponse {
    if (this.#response) return this.#response;
    const socket = this.#socket;
    socket._httpMessage = null;
    this.#ordinary(new HandedRequest(socket), true);
    // Nothing else was under way, so it is the next to leave.
    this.#response = socket._httpMessage as unknown as ServerResponse;
    return this.#response;
  }

  #leave(): void {
    this.#idle.forget(this);
    const held = this.#held;
    this.#isHolding = false;
    this.#held = undefined;
    held?.leave();
  }
}

const isSimple = ({ method, upgrade, httpVersionMinor }: IncomingMessage & { upgrade?: boolean }): boolean =>
  method === 'GET' && upgrade !== true && httpVersionMinor === 1;
