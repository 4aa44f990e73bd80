/** The protocol between renderer and threads. A thread sends `ready` once, then answers each question in turn. */
import type { FaultRecord } from '../../kernel/fault';
import type { RenderContext, Rendered } from '../model/markdown/context';

export interface Question {
  readonly content: string;
  readonly context: RenderContext;
}

export type Answer = { readonly rendered: Rendered } | { readonly fault: FaultRecord };
